#include <cmath>

#include "app/chapters/shown_norm.h"
#include "app/chapters/step.h"
#include "app/rooms/figures/scene.h"
#include "app/ui/text.h"
#include "app/ui/ui.h"
#include "app/ui/widgets/number.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "core/files/table.h"
#include "core/measures/analysis.h"
#include "core/transformer/equations.h"
#include "core/vit/experiment.h"

namespace vitrine {

namespace layer_norm_parts {

std::vector<Fact> facts(const Ui& ui, const Result& now, const Selection& selection) {
    const Config& c = now.model->config;
    const Focus& f = selection.focus;
    const auto token = static_cast<std::size_t>(selection.focus.token);
    const auto block = now.trace.block(f.block);
    const LayerNormTrace& norm = f.half == Half::attention ? block->ln1 : block->ln2;
    const auto variance = static_cast<double>(norm.var(token)), mean = static_cast<double>(norm.mean(token));
    const double length = std::sqrt(c.embedding_dim * (variance + mean * mean));  // of the norm's input
    return {{ui.text("fact.selected"), short_token_name(ui, now, selection.focus.token), {}},
            number_fact(f.half == Half::attention ? "‖z‖" : "‖z′‖", length),
            number_fact("μ", mean),
            number_fact("σ²", variance),
            number_fact("σ", std::sqrt(variance)),
            number_fact("ε", static_cast<double>(c.layer_norm_epsilon)),
            shape_fact("LN(z)", {c.tokens(), c.embedding_dim}),
            shape_fact("γ, β", {c.embedding_dim})};
}

std::optional<Cell> cell(const Result&, const Selection& selection) {
    const Focus& f = selection.focus;
    return Cell{f.half == Half::attention ? Quantity::ln1 : Quantity::ln2, f.block, 0, selection.focus.token,
                selection.feature_in_view()};
}

std::vector<Intervention> switches(const Result&, const Focus& focus) {
    return {normalise(Norm::none, focus.block), normalise(Norm::none), normalise(Norm::after)};
}

/// The fixed answer, about the bundled model; with all norms off, this run's prediction follows.
std::string answer(const Ui& ui, const Result& now, const Selection&) {
    const std::string words = ui.text("step.layer_norm.answer");
    const bool alone = now.experiment.what_ifs == std::vector{normalise(Norm::none)};
    if (!alone || now.model->config.classes == 0) return words;
    const Prediction first = top_predictions(*now.trace.head, 1).front();
    return words + " " +
           ui.text("layer_norm.now", {{"class", class_in_words(ui, *now.model, first.index)},
                                      {"probability", probability_text(static_cast<double>(first.probability))}});
}

bool answered(const Result&, const Selection&, const WhatIfs& what_ifs) {
    return contains(what_ifs, normalise(Norm::none));
}

std::string equation(const Result& now, const Focus& focus) {
    const Norm norm = equations_of(now.model->config, now.experiment.what_ifs, {focus.block}).norm;
    return norm == Norm::none ? "layer_norm_off" : "layer_norm";
}

/// The norm of one token: a row for each feature, a column for each stage of the computation, μ and σ.
Table table(const Result& now, const Selection& selection) {
    const NormStages s = stages_of_norm(now, selection);
    const std::string input = selection.focus.half == Half::attention ? "z" : "z′";
    const Equations equations = equations_of(now.model->config, now.experiment.what_ifs, {selection.focus.block});
    const std::string name = selection.focus.half == Half::attention ? "ln1" : "ln2";
    if (equations.norm == Norm::none) return table_of_columns(name, "feature", {{input + ", unchanged", s.input}});
    const LayerNormWeights& w = norm_weights(now, selection);
    const auto repeated = [&](double value) { return std::vector<float>(s.input.size(), static_cast<float>(value)); };
    std::vector<TableColumn> columns = {{input + " before", s.input},
                                        {"μ", repeated(s.mean)},
                                        {"σ", repeated(std::sqrt(s.variance))},
                                        {input + " − μ", s.centred},
                                        {"(" + input + " − μ) ÷ √(σ² + ε)", s.scaled}};
    for (const auto& [letter, learned] : {std::pair{"γ", &w.gamma}, {"β", &w.beta}})
        if (!learned->empty()) columns.push_back({letter, {learned->data(), learned->data() + learned->size()}});
    columns.push_back({"after γ and β", s.out});
    return table_of_columns(name, "feature", columns);
}

}  // namespace layer_norm_parts

Step layer_norm_step() {
    return {.id = "layer_norm",
            .own = {.node = Node::norm,
                    .moves = true,
                    .depends = {.block = true, .token = true, .half = true},
                    .cell = layer_norm_parts::cell,
                    .table = layer_norm_parts::table},
            .facts = layer_norm_parts::facts,
            .switches = layer_norm_parts::switches,
            .answer = layer_norm_parts::answer,
            .answered = layer_norm_parts::answered,
            .equation = layer_norm_parts::equation,
            .learn = "norms"};
}

}  // namespace vitrine
