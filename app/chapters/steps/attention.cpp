#include <cmath>

#include "app/chapters/step.h"
#include "app/rooms/figures/computation.h"
#include "app/rooms/figures/scene.h"
#include "app/ui/text.h"
#include "app/ui/widgets/number.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "core/measures/analysis.h"
#include "core/tensor/entropy.h"
#include "core/transformer/equations.h"
#include "core/vit/readout.h"

namespace vitrine {

namespace attention_parts {

/// A head's pair of tokens.
struct Pair {
    int head, query, key;
};
/// q · k in the run, before any scaling.
double query_times_key(const BlockTrace& block, const Pair& pair) {
    const std::size_t head = static_cast<std::size_t>(pair.head), d = block.q.shape()[2];
    const float* const q = &block.q(head, static_cast<std::size_t>(pair.query), 0);
    const float* const k = &block.k(head, static_cast<std::size_t>(pair.key), 0);
    double sum = 0;
    for (std::size_t i = 0; i < d; ++i) sum += static_cast<double>(q[i]) * static_cast<double>(k[i]);
    return sum;
}

/// The chosen token and the hovered one, as query and key.
struct PairInView {
    int query, key;
};
PairInView pair_in_view(const Selection& selection) {
    const int chosen = selection.focus.token, other = selection.hovered_token().value_or(chosen);
    return selection.focus.looked_at ? PairInView{other, chosen} : PairInView{chosen, other};
}

std::vector<Fact> facts(const Ui& ui, const Result& now, const Selection& selection) {
    const Config& c = now.model->config;
    const Focus& f = selection.focus;
    const int head = selection.hovered_head().value_or(f.head);
    const auto [query, key] = pair_in_view(selection);
    const auto block = now.trace.block(f.block);
    const std::span<const float> row = attention_row(*block, head, query);
    const float score =
        block->scores(static_cast<std::size_t>(head), static_cast<std::size_t>(query), static_cast<std::size_t>(key));
    const ScoreRule rule = equations_of(now.model->config, now.experiment.what_ifs, {f.block, head, query}).scores;
    const float spread = entropy(row);
    std::vector<Fact> facts = {
        {ui.text("fact.query"), short_token_name(ui, now, query), {}},
        {ui.text("fact.key"), short_token_name(ui, now, key), {}},
        {ui.text("fact.head"),
         ui.text("fact.head_of", {{"head", ui.ordinal(head)}, {"block", ui.ordinal(f.block - 1)}}),
         {}},
        number_fact("q · k", query_times_key(*block, {head, query, key})),
        number_fact(ui.text("fact.weight"), row[static_cast<std::size_t>(key)]),
        number_fact(ui.text("fact.uniform"), 1.0 / c.tokens()),
        number_fact(ui.text("fact.entropy"), spread),
        number_fact(ui.text("fact.effective"), std::exp(static_cast<double>(spread))),
        shape_fact("Q, K, V", {c.heads, c.tokens(), c.head_dim()}),
        shape_fact(ui.text("fact.attention"), {c.heads, c.tokens(), c.tokens()})};
    constexpr std::ptrdiff_t behind_product = 4;
    if (const std::string words = score_words(rule); words != "q · k")
        facts.insert(facts.begin() + behind_product, number_fact(words, score));
    return facts;
}

std::string aspect(const Focus& focus) { return focus.looked_at ? "looked_at" : ""; }

std::optional<Cell> cell(const Result&, const Selection& selection) {
    const Focus& f = selection.focus;
    const auto [query, key] = pair_in_view(selection);
    return Cell{Quantity::attention, f.block, selection.hovered_head().value_or(f.head), query, key};
}

/// The weights that the question is about, in an attention head: those in the row of the classifier's input, or those
/// that all queries give the chosen token.    (N)
std::vector<float> weights_asked(const Result& now, const Focus& focus, int head) {
    const auto block = now.trace.block(focus.block);
    if (!focus.looked_at) return readout_row(now.model->config, *block, head);
    std::vector<float> column;
    for (int query = 0; query < now.model->config.tokens(); ++query)
        column.push_back(attention_row(*block, head, query)[static_cast<std::size_t>(focus.token)]);
    return column;
}

/// The patch with the largest weight of `weights_asked`, over all heads of the block.
struct Most {
    int head = 0, token = 1;
    float weight = 0;
};
Most most_looked_at(const Result& now, const Focus& focus) {
    const Config& c = now.model->config;
    Most most{.token = c.token_of(0)};
    for (int head = 0; head < c.heads; ++head) {
        const std::vector<float> row = weights_asked(now, focus, head);
        for (int token = c.token_of(0); token < c.tokens(); ++token)
            if (const float weight = row[static_cast<std::size_t>(token)]; weight > most.weight)
                most = {head, token, weight};
    }
    return most;
}

std::string answer(const Ui& ui, const Result& now, const Selection& selection) {
    const Most most = most_looked_at(now, selection.focus);
    return ui.text(selection.focus.looked_at ? "step.attention.answer_looked_at" : "step.attention.answer",
                   {{"token", token_name(ui, now, most.token)},
                    {"key", short_token_name(ui, now, selection.focus.token)},
                    {"weight", percent_text(static_cast<double>(most.weight))},
                    {"head", ui.ordinal(most.head)}});
}

/// The guessed patch with the head that gives it most weight.
std::optional<Guessed> guessed(const Ui& ui, const Result& now, const Selection& selection) {
    const std::optional<int> token = selection.guess().token;
    const Config& c = now.model->config;
    if (!token || !c.is_patch(*token)) return std::nullopt;
    float most = 0;
    int of = 0;
    for (int head = 0; head < c.heads; ++head)
        if (const float weight = weights_asked(now, selection.focus, head)[static_cast<std::size_t>(*token)];
            weight > most)
            most = weight, of = head;
    return Guessed{*token == most_looked_at(now, selection.focus).token,
                   ui.text("guess.weight", {{"token", short_token_name(ui, now, *token)},
                                            {"weight", percent_text(static_cast<double>(most))},
                                            {"head", ui.ordinal(of)}})};
}

bool answered(const Result& now, const Selection& selection, const WhatIfs&) {
    const int most = most_looked_at(now, selection.focus).token;
    return selection.guess().token ? *selection.guess().token == most
                                   : !selection.focus.looked_at && selection.focus.token == most;
}

std::vector<Intervention> switches(const Result&, const Focus&) {
    return {without_scaling(), key_is_query(), value_is_query()};
}

std::string equation(const Result& now, const Focus& focus) { return equation_of_scores("attention", now, focus); }

}  // namespace attention_parts

Step attention_step() {
    return {.id = "attention",
            .own = {.node = Node::attention,
                    .depends = {.block = true, .head = true, .token = true},
                    .cell = attention_parts::cell,
                    .guessed = attention_parts::guessed,
                    .aspect = attention_parts::aspect,
                    .guesses_patch = true,
                    .painted = true},
            .facts = attention_parts::facts,
            .switches = attention_parts::switches,
            .sliders = {"temperature"},
            .answer = attention_parts::answer,
            .answered = attention_parts::answered,
            .equation = attention_parts::equation};
}

}  // namespace vitrine
