#include "app/chapters/step.h"
#include "app/rooms/figures/change_figure.h"
#include "app/rooms/figures/scene.h"
#include "app/ui/text.h"
#include "app/ui/ui.h"
#include "app/ui/widgets/number.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "core/files/table.h"
#include "core/measures/analysis.h"
#include "core/measures/catalogue.h"
#include "core/measures/weight_agreement.h"
#include "core/vit/experiment.h"

namespace vitrine {

namespace explanation_parts {

std::vector<Fact> facts(const Ui& ui, const Result& now, const Selection& selection) {
    const Focus& f = selection.focus;
    const auto t = now.trace.block(f.block);
    const std::span<const float> weights = attention_row(*t, f.head, f.token);
    const std::vector<float> moved = value_weighted_norms(*t, f.head, f.token);
    const int heaviest = largest(weights, 1).front(), farthest = largest(moved, 1).front();
    return {{ui.text("fact.query"), short_token_name(ui, now, f.token), {}},
            {ui.text("fact.head"),
             ui.text("fact.head_of", {{"head", ui.ordinal(f.head)}, {"block", ui.ordinal(f.block - 1)}}),
             {}},
            {ui.text("fact.most_weight"), short_token_name(ui, now, heaviest), {}},
            {ui.text("fact.most_moved"), short_token_name(ui, now, farthest), {}},
            number_fact(ui.text("fact.rank"), rank_correlation(weights, moved))};
}

std::optional<Cell> cell(const Result&, const Selection& selection) {
    const Focus& f = selection.focus;
    return Cell{Quantity::heads, f.block, f.head, f.token, 0};
}

/// Until the patch is switched off, the answer is only the instruction.
std::string answer(const Ui& ui, const Result& now, const Selection& selection) {
    const Focus& f = selection.focus;
    if (now.model->config.classes == 0) return ui.text("prediction.none");
    const int token = brightest_patch(now.model->config, now.baseline, map_of(f));
    const std::string name = token_name(ui, now, token);
    if (!contains(now.experiment.what_ifs, remove_token(token))) return ui.text("explanation.first", {{"token", name}});
    if (now.experiment.what_ifs.size() > 1) return ui.text("answer.alone");
    const auto weight = static_cast<double>(
        attention_row(*now.baseline.block(f.block), f.head, f.token)[static_cast<std::size_t>(token)]);
    const int best = top_predictions(*now.baseline.head, 1).front().index;
    return ui.text("step.explanation.answer", {{"token", name},
                                               {"weight", percent_text(weight)},
                                               {"class", class_in_words(ui, *now.model, best)},
                                               {"change", change_words(ui, *change_of(now))}});
}

bool answered(const Result& now, const Selection& selection, const WhatIfs& what_ifs) {
    return contains(what_ifs, remove_token(brightest_patch(now.model->config, now.baseline, map_of(selection.focus))));
}

/// The maps of the figure.
Table table(const Result& now, const Selection& selection) {
    const Focus& f = selection.focus;
    const auto block = now.trace.block(f.block);
    const std::span<const float> weights = attention_row(*block, f.head, f.token);
    std::vector<TableColumn> columns = {{"A", {weights.begin(), weights.end()}},
                                        {"‖A v‖", value_weighted_norms(*block, f.head, f.token)}};
    if (now.trial && now.trial->drops) columns.push_back({"−Δ margin", *now.trial->drops});
    Table table = table_of_columns("weights_and_moved", "token", columns);
    table.labels.front() = token_labels(now.model->config);
    return table;
}

std::vector<Intervention> asked(const Result& now, const Selection& selection) {
    return {remove_token(brightest_patch(now.model->config, now.baseline, map_of(selection.focus)))};
}

}  // namespace explanation_parts

Step explanation_step() {
    return {.id = "explanation",
            .own = {.node = Node::nowhere,
                    .depends = {.block = true, .head = true, .token = true},
                    .cell = explanation_parts::cell,
                    .table = explanation_parts::table,
                    .tries_map = true,
                    .asked = explanation_parts::asked},
            .facts = explanation_parts::facts,
            .answer = explanation_parts::answer,
            .answered = explanation_parts::answered};
}

}  // namespace vitrine
