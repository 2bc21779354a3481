#include "app/chapters/model_words.h"
#include "app/chapters/step.h"
#include "app/rooms/figures/scene.h"
#include "app/ui/text.h"
#include "app/ui/ui.h"
#include "app/ui/widgets/number.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "core/measures/analysis.h"
#include "core/vit/readout.h"

namespace vitrine {

namespace class_token_parts {

/// What the head would read at this level: the class token, or for another readout its own input.
std::vector<float> read(const Result& now, int level) {
    const Tensor2 row = read_out(now.model->config, now.trace.z(level));
    return {row.begin(), row.end()};
}

/// Cosine similarity of what the head would read at this level with the class token's learned vector; for another
/// readout, with its own value at level 0.
double cosine_to_start(const Result& now, int level) {
    const bool class_token = now.model->config.readout == Readout::class_token;
    return static_cast<double>(class_token ? cosine(read(now, level), vector_of_class_token(*now.model))
                                           : cosine(read(now, level), read(now, 0)));
}

/// Cosine similarity of what the head would read at this level in this image and in the other one.
double cosine_to_other(const Result& now, int level) {
    const Tensor2& other = now.other->read;
    return static_cast<double>(
        cosine(read(now, level), {&other(static_cast<std::size_t>(level), 0), other.shape()[1]}));
}

double length_at(const Result& now, int level) { return static_cast<double>(summarise(read(now, level)).norm); }

std::string other_name(const Ui& ui, const Result& now) { return ui.text("class." + now.other->sample); }

std::vector<Fact> facts(const Ui& ui, const Result& now, const Selection& selection) {
    const Config& c = now.model->config;
    const int block = selection.focus.block;
    const std::span<const float> learned = vector_of_class_token(*now.model);
    const std::string& class_token = ui.text("token.class_short");
    std::vector<Fact> rows = {
        {tokens_sum(c), count_text(c.tokens()), {}},
        number_fact(ui.text("fact.norm_at", {{"level", "0"}}), length_at(now, 0)),
        number_fact(ui.text("fact.norm_at", {{"level", std::to_string(block)}}), length_at(now, block)),
        number_fact(ui.text(c.readout == Readout::class_token ? "fact.turn" : "class_token.turn"),
                    cosine_to_start(now, block)),
        number_fact(ui.text("class_token.other", {{"other", other_name(ui, now)}}), cosine_to_other(now, block)),
        shape_fact(c.leading_tokens() == 0 ? "[xₚE]"
                   : learned.empty()       ? "[" + ui.text("token.register_short", {{"token", "…"}}) + "; xₚE]"
                   : c.leading == Config().leading ? "[" + class_token + "; xₚE]"
                                                   : "[" + class_token + "; …; xₚE]",
                   {c.tokens(), c.embedding_dim})};
    if (learned.empty()) return rows;
    rows.insert(rows.begin() + 1,
                number_fact(ui.text("fact.length_learned"), static_cast<double>(summarise(learned).norm)));
    rows.insert(rows.begin(), shape_fact(class_token, {c.embedding_dim}));
    return rows;
}

std::optional<Cell> cell(const Result& now, const Selection& selection) {
    const int token = now.model->config.first_of(TokenKind::class_token).value_or(0);
    return Cell{Quantity::tokens, 0, 0, token, selection.feature_in_view()};
}

/// The block in which the class tokens of the two images diverge most.
int diverging_block(const Result& now) {
    int best = 1;
    double most = -1;
    for (int block = 1; block <= now.model->config.blocks; ++block)
        if (const double change = cosine_to_other(now, block - 1) - cosine_to_other(now, block); change > most) {
            most = change;
            best = block;
        }
    return best;
}

std::string answer(const Ui& ui, const Result& now, const Selection&) {
    const int block = diverging_block(now);
    return ui.text(key_for(ui.text, "step.class_token.answer", now.model->config),
                   {{"block", ui.ordinal(block - 1)},
                    {"before", number_text(cosine_to_other(now, block - 1))},
                    {"after", number_text(cosine_to_other(now, block))},
                    {"other", other_name(ui, now)}});
}

std::string equation(const Result& now, const Focus&) {
    const Config& c = now.model->config;
    const bool registers = c.count_of(TokenKind::register_token) > 0;
    if (!c.first_of(TokenKind::class_token)) return registers ? "class_token_none_registers" : "class_token_none";
    std::string kinds = "class_token";
    if (c.first_of(TokenKind::distillation)) kinds += "_distillation";
    if (registers) kinds += "_registers";
    return kinds;
}

bool answered(const Result& now, const Selection& selection, const WhatIfs&) {
    return selection.focus.block == diverging_block(now);
}

std::optional<Guessed> guessed(const Ui& ui, const Result& now, const Selection& selection) {
    const int block = selection.focus.block;
    return Guessed{answered(now, selection, {}),
                   ui.text("guess.cosine", {{"block", ui.ordinal(block - 1)},
                                            {"before", number_text(cosine_to_other(now, block - 1))},
                                            {"after", number_text(cosine_to_other(now, block))}})};
}

}  // namespace class_token_parts

Step class_token_step() {
    return {.id = "class_token",
            .own = {.node = Node::class_token,
                    .moves = true,
                    .depends = {.block = true, .token = true},
                    .beside = {.other = true},
                    .cell = class_token_parts::cell,
                    .guessed = class_token_parts::guessed,
                    .guess_in = [](const Focus& focus) { return focus.block; }},
            .facts = class_token_parts::facts,
            .answer = class_token_parts::answer,
            .answered = class_token_parts::answered,
            .equation = class_token_parts::equation};
}

}  // namespace vitrine
