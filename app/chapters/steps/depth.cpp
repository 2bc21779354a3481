#include "app/chapters/step.h"
#include "app/rooms/figures/scene.h"
#include "app/ui/text.h"
#include "app/ui/ui.h"
#include "app/ui/widgets/number.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "core/files/table.h"
#include "core/measures/analysis.h"
#include "core/measures/catalogue.h"
#include "core/vit/experiment.h"

namespace vitrine {

namespace depth_parts {

std::span<const float> row(const Tensor2& z, std::size_t token) { return {&z(token, 0), z.shape()[1]}; }

std::vector<Fact> facts(const Ui& ui, const Result& now, const Selection& selection) {
    const Config& c = now.model->config;
    const auto token = static_cast<std::size_t>(selection.focus.token);
    const int block = selection.focus.block;
    const auto norm = [&](int level) { return static_cast<double>(summarise(row(now.trace.z(level), token)).norm); };
    const auto name = [&](int level) { return ui.text("fact.norm_at", {{"level", std::to_string(level)}}); };
    const float turned = cosine(row(now.trace.z(0), token), row(now.trace.z(block), token));
    return {{ui.text("fact.selected"), short_token_name(ui, now, selection.focus.token), {}},
            {"L", count_text(c.blocks), {}},
            number_fact(name(0), norm(0)),
            number_fact(name(block), norm(block)),
            number_fact(ui.text("fact.similarity_to_start"), static_cast<double>(turned)),
            number_fact(ui.text("fact.together"), mean_pair_cosine(now.trace.z(block))),
            shape_fact("z", {1, c.tokens(), c.embedding_dim})};
}

std::optional<Cell> cell(const Result&, const Selection& selection) {
    return Cell{Quantity::z, selection.focus.block, 0, selection.focus.token, selection.feature_in_view()};
}

std::vector<Intervention> switches(const Result&, const Focus&) { return {without_skips()}; }

/// Mean cosine at a level between the patches and the head's input there.
double likeness(const Result& now, int level) { return now.measures.stream[static_cast<std::size_t>(level)]->likeness; }

/// The block in which `likeness` rises most.
int approaching_block(const Result& now) {
    const auto rise = [&](int block) { return likeness(now, block) - likeness(now, block - 1); };
    int best = 1;
    for (int block = 2; block <= now.model->config.blocks; ++block)
        if (rise(block) > rise(best)) best = block;
    return best;
}

std::string answer(const Ui& ui, const Result& now, const Selection&) {
    const int block = approaching_block(now);
    return ui.text("step.depth.answer", {{"block", ui.ordinal(block - 1)},
                                         {"before", number_text(likeness(now, block - 1))},
                                         {"after", number_text(likeness(now, block))}});
}

bool answered(const Result& now, const Selection& selection, const WhatIfs&) {
    return selection.focus.block == approaching_block(now);
}

std::optional<Guessed> guessed(const Ui& ui, const Result& now, const Selection& selection) {
    const int block = selection.focus.block;
    return Guessed{answered(now, selection, {}),
                   ui.text("guess.cosine", {{"block", ui.ordinal(block - 1)},
                                            {"before", number_text(likeness(now, block - 1))},
                                            {"after", number_text(likeness(now, block))}})};
}

/// The maps of the figure: each token's cosine with the chosen one, level by level.
Table table(const Result& now, const Selection& selection) {
    std::vector<TableColumn> columns;
    for (int level = 0; level <= now.model->config.blocks; ++level)
        columns.push_back({"ℓ = " + std::to_string(level), cosines_to(now.trace.z(level), selection.focus.token)});
    Table table = table_of_columns("cosine", "token", columns);
    table.labels.front() = token_labels(now.model->config);
    return table;
}

}  // namespace depth_parts

Step depth_step() {
    return {.id = "depth",
            .own = {.node = Node::blocks,
                    .moves = true,
                    .depends = {.block = true, .token = true},
                    .cell = depth_parts::cell,
                    .table = depth_parts::table,
                    .guessed = depth_parts::guessed,
                    .guess_in = [](const Focus& focus) { return focus.block; }},
            .facts = depth_parts::facts,
            .switches = depth_parts::switches,
            .answer = depth_parts::answer,
            .answered = depth_parts::answered};
}

}  // namespace vitrine
