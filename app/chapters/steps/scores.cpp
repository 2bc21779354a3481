#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "app/chapters/shown_scores.h"
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
#include "core/studies/normalisation.h"
#include "core/tensor/entropy.h"
#include "core/transformer/equations.h"
#include "core/vit/experiment.h"
#include "core/vit/token_places.h"

namespace vitrine {

namespace scores_parts {

/// The chosen row in a run without what-ifs: its weights with and without ÷ √d.
struct Rows {
    std::vector<float> with, without;
    double root = 1;
};
Rows rows_of(const Result& now, const Focus& f) {
    const auto block = now.baseline.block(f.block);
    const std::size_t n = block->scores.shape()[2];
    const float* const scores = &block->scores(static_cast<std::size_t>(f.head), static_cast<std::size_t>(f.token), 0);
    Rows rows;
    rows.root = std::sqrt(static_cast<double>(now.model->config.head_dim()));
    Tensor2 both = tensor2(2, n);
    for (std::size_t i = 0; i < n; ++i) {
        both(0, i) = scores[i];
        const auto bias =
            static_cast<float>(position_bias_at(now.model->weights.blocks[static_cast<std::size_t>(f.block - 1)],
                                                now.model->config, f.head, f.token, static_cast<int>(i)));
        both(1, i) = (scores[i] - bias) * static_cast<float>(rows.root) + bias;
    }
    const Tensor2 weights = softmax(both);
    rows.with.assign(&weights(0, 0), &weights(0, 0) + n);
    rows.without.assign(&weights(1, 0), &weights(1, 0) + n);
    return rows;
}

std::vector<Fact> facts(const Ui& ui, const Result& now, const Selection& selection) {
    const Config& c = now.model->config;
    const Focus& f = selection.focus;
    const auto own = now.trace.block(f.block);
    const BlockTrace& block = *own;
    const std::size_t n = block.scores.shape()[2];
    const float* const scores = &block.scores(static_cast<std::size_t>(f.head), static_cast<std::size_t>(f.token), 0);
    const double variance = std::pow(moments_of({scores, n}).deviation, 2),
                 root = std::sqrt(static_cast<double>(c.head_dim()));
    const ScoreRule rule = equations_of(c, now.experiment.what_ifs, {f.block, f.head, f.token}).scores;
    if (c.position_bias > 0)
        return {{ui.text("fact.query"), short_token_name(ui, now, f.token), {}},
                {ui.text("fact.key"), short_token_name(ui, now, f.key), {}},
                number_fact("√d", root),
                number_fact("B", position_bias_at(now.model->weights.blocks[static_cast<std::size_t>(f.block - 1)], c,
                                                  f.head, f.token, f.key)),
                number_fact(ui.text("fact.variance"), variance),
                shape_fact("QKᵀ", {c.heads, c.tokens(), c.tokens()})};
    return {{ui.text("fact.query"), short_token_name(ui, now, f.token), {}},
            {ui.text("fact.key"), short_token_name(ui, now, f.key), {}},
            number_fact("√d", root),
            number_fact(ui.text("fact.variance"), variance),
            number_fact(ui.text("fact.variance_without"), rule.divided ? variance * root * root : variance),
            shape_fact("QKᵀ", {c.heads, c.tokens(), c.tokens()})};
}

std::optional<Cell> cell(const Result&, const Selection& selection) {
    const Focus& f = selection.focus;
    return Cell{Quantity::scores, f.block, f.head, f.token, f.key};
}

std::vector<Intervention> switches(const Result&, const Focus& focus) {
    return {without_scaling(), without_scaling(focus.block), key_is_query(), value_is_query()};
}

std::string answer(const Ui& ui, const Result& now, const Selection& selection) {
    const Rows rows = rows_of(now, selection.focus);
    const auto most = [](const std::vector<float>& row) {
        return number_text(static_cast<double>(*std::max_element(row.begin(), row.end())));
    };
    return ui.text("step.scores.answer",
                   {{"factor", number_text(rows.root)},
                    {"with", most(rows.with)},
                    {"without", most(rows.without)},
                    {"entropy", number_text(static_cast<double>(entropy(rows.with)))},
                    {"entropy_without", number_text(static_cast<double>(entropy(rows.without)))}});
}

bool answered(const Result&, const Selection&, const WhatIfs& what_ifs) {
    return contains(what_ifs, without_scaling());
}

std::string equation(const Result& now, const Focus& focus) { return equation_of_scores("scores", now, focus); }

/// The numbers of the figure: a row for each feature of the pair, then one for each key of the query's row.
Table table(const Result& now, const Selection& selection) {
    const ShownScores s = scores_shown(now, selection.focus);
    const std::size_t features = s.q.size(), keys = s.scores.size();
    const auto column = [&](const char* name, const std::vector<float>& values, std::size_t first) {
        TableColumn all{name, std::vector<float>(features + keys, std::numeric_limits<float>::quiet_NaN())};
        std::ranges::copy(values, all.values.begin() + static_cast<std::ptrdiff_t>(first));
        return all;
    };
    Table table = table_of_columns(
        "scores", "feature or key",
        {column("q", s.q, 0), column("k", s.k, 0), column("q ⊙ k", s.product, 0), column("score", s.scores, features),
         column("weight", s.weights, features), column("score without ÷ √d", s.undivided, features),
         column("weight without ÷ √d", s.without, features)});
    for (std::size_t i = 1; i <= features; ++i) table.labels.front().push_back("feature " + std::to_string(i));
    std::ranges::copy(token_labels(now.model->config), std::back_inserter(table.labels.front()));
    return table;
}

}  // namespace scores_parts

Step scores_step() {
    return {.id = "scores",
            .own = {.node = Node::attention,
                    .moves = true,
                    .depends = {.block = true, .head = true, .token = true},
                    .cell = scores_parts::cell,
                    .table = scores_parts::table},
            .facts = scores_parts::facts,
            .switches = scores_parts::switches,
            .sliders = {"temperature"},
            .answer = scores_parts::answer,
            .answered = scores_parts::answered,
            .equation = scores_parts::equation};
}

}  // namespace vitrine
