#include <algorithm>
#include <cmath>

#include "app/chapters/step.h"
#include "app/rooms/figures/scene.h"
#include "app/ui/text.h"
#include "app/ui/ui.h"
#include "app/ui/widgets/colour_map.h"
#include "app/ui/widgets/number.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "core/files/table.h"
#include "core/measures/analysis.h"
#include "core/measures/catalogue.h"
#include "core/tensor/entropy.h"
#include "core/vit/experiment.h"

namespace vitrine {

namespace attention_matrix_parts {

/// The pair of tokens whose numbers are shown: the hovered cell's, else the chosen pair.
struct Pointed {
    int query, key;
};
Pointed pointed_at(const Selection& selection) {
    const std::optional<Cell> cell = selection.hovered_cell();
    if (cell && (cell->quantity == Quantity::attention || cell->quantity == Quantity::scores))
        return {cell->row, cell->column};
    return {selection.focus.token, selection.focus.key};
}

std::vector<Fact> facts(const Ui& ui, const Result& now, const Selection& selection) {
    const Config& c = now.model->config;
    const Focus& f = selection.focus;
    const auto block = now.trace.block(f.block);
    const Pointed at = pointed_at(selection);
    const std::span<const float> row = attention_row(*block, f.head, at.query);
    double sum = 0;
    for (const float a : row) sum += static_cast<double>(a);
    const auto spread = static_cast<double>(entropy(row));
    return {{ui.text("fact.query"), short_token_name(ui, now, at.query), {}},
            {ui.text("fact.key"), short_token_name(ui, now, at.key), {}},
            number_fact(ui.text("fact.row_sum"), sum),
            number_fact(ui.text("fact.entropy"), spread),
            number_fact(ui.text("fact.effective"), std::exp(spread)),
            number_fact(ui.text("fact.uniform"), 1.0 / c.tokens()),
            shape_fact("A", {c.heads, c.tokens(), c.tokens()})};
}

std::optional<Cell> cell(const Result&, const Selection& selection) {
    const Focus& f = selection.focus;
    const Pointed at = pointed_at(selection);
    return Cell{f.scores ? Quantity::scores : Quantity::attention, f.block, f.head, at.query, at.key};
}

std::vector<Intervention> switches(const Result&, const Focus&) { return {key_is_query(), without_scaling()}; }

std::string answer(const Ui& ui, const Result& now, const Selection& selection) {
    const AttentionReach& reach = *now.baseline_measures.reach[static_cast<std::size_t>(selection.focus.block - 1)];
    const float difference = reach.asymmetry[static_cast<std::size_t>(selection.focus.head)];
    return ui.text("step.attention_matrix.answer", {{"difference", number_text(static_cast<double>(difference))}});
}

/// True with K = Q while the scores are shown.
bool answered(const Result&, const Selection& selection, const WhatIfs& what_ifs) {
    return contains(what_ifs, key_is_query()) && selection.focus.scores;
}

std::string aspect(const Focus& focus) { return focus.scores ? "scores" : ""; }

std::string equation(const Result& now, const Focus& focus) {
    return equation_of_scores("attention_matrix", now, focus);
}

/// The matrix of the figure.
Table table(const Result& now, const Selection& selection) {
    const Focus& f = selection.focus;
    const auto block = now.trace.block(f.block);
    const Tensor3& all = f.scores ? block->scores : block->attention;
    const std::size_t tokens = all.shape()[1];
    const float* const first = &all(static_cast<std::size_t>(f.head), 0, 0);
    const std::vector<std::string> names = token_labels(now.model->config);
    return {f.scores ? "scores" : "attention",
            {"query", "key"},
            {tokens, tokens},
            {first, first + tokens * tokens},
            {names, names}};
}

}  // namespace attention_matrix_parts

Step attention_matrix_step() {
    return {.id = "attention_matrix",
            .own = {.node = Node::attention,
                    .moves = true,
                    .depends = {.block = true, .head = true, .token = true},
                    .cell = attention_matrix_parts::cell,
                    .table = attention_matrix_parts::table,
                    .aspect = attention_matrix_parts::aspect},
            .facts = attention_matrix_parts::facts,
            .switches = attention_matrix_parts::switches,
            .sliders = {"temperature"},
            .answer = attention_matrix_parts::answer,
            .answered = attention_matrix_parts::answered,
            .equation = attention_matrix_parts::equation};
}

}  // namespace vitrine
