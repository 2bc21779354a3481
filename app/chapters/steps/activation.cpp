#include <algorithm>
#include <limits>
#include <numeric>
#include <span>

#include "app/chapters/shown_activation.h"
#include "app/chapters/step.h"
#include "app/rooms/figures/computation.h"
#include "app/rooms/figures/scene.h"
#include "app/ui/text.h"
#include "app/ui/ui.h"
#include "app/ui/widgets/number.h"
#include "app/ui/widgets/plot.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "core/files/table.h"
#include "core/studies/activation_study.h"
#include "core/transformer/equations.h"
#include "core/vit/experiment.h"

namespace vitrine {

namespace activation_parts {

constexpr double low = activations_low, high = activations_high;

std::vector<Fact> facts(const Ui& ui, const Result& now, const Selection& selection) {
    const Focus& f = selection.focus;
    const auto block = now.trace.block(f.block);
    const Tensor2& hidden = block->mlp.hidden;
    const auto token = static_cast<std::size_t>(selection.focus.token),
               unit = static_cast<std::size_t>(selection.unit_in_view());
    const float x = hidden(token, unit);
    const float* const row = &hidden(token, 0);
    const auto below = std::count_if(row, row + hidden.shape()[1], [](float v) { return v < 0; });
    const auto number = [](float value) { return static_cast<double>(value); };
    return {
        {ui.text("fact.unit"), ui.ordinal(selection.unit_in_view()), {}},
        number_fact("x", number(x)),
        number_fact("Φ(x)", normal_cdf(number(x))),
        number_fact("GELU(x)", exact_activation(Activation::gelu, number(x))),
        number_fact("GELU′(x)", number(activation_slope(Activation::gelu, x))),
        number_fact("ReLU(x)", exact_activation(Activation::relu, number(x))),
        number_fact("ELU(x)", exact_activation(Activation::elu, number(x))),
        {ui.text("fact.below"), percent_text(static_cast<double>(below) / static_cast<double>(hidden.shape()[1])), {}},
        shape_fact("u", {static_cast<int>(hidden.shape()[0]), static_cast<int>(hidden.shape()[1])})};
}

std::optional<Cell> cell(const Result&, const Selection& selection) {
    return Cell{Quantity::mlp_activation, selection.focus.block, 0, selection.focus.token, selection.unit_in_view()};
}

/// Activations other than the model's own; and ReLU in the chosen block alone.
std::vector<Intervention> switches(const Result& now, const Focus& focus) {
    std::vector<Intervention> offered;
    for (const Activation other : {Activation::relu, Activation::elu, Activation::gelu})
        if (other != now.model->config.activation) offered.push_back(activate_with(other));
    offered.push_back(activate_with(Activation::relu, focus.block));
    return offered;
}

std::string answer(const Ui& ui, const Result&, const Selection&) {
    const Difference d = largest_difference(Activation::gelu, Activation::relu, low, high);
    return ui.text("step.activation.answer",
                   {{"difference", number_text(d.amount)}, {"at", number_text(std::abs(d.at))}});
}

bool answered(const Result&, const Selection&, const WhatIfs& what_ifs) {
    return contains(what_ifs, activate_with(Activation::relu));
}

std::vector<std::string> of_model(const Config& c) {
    return c.activation == Activation::silu ? std::vector<std::string>{"silu"} : std::vector<std::string>();
}

/// The curves at the middle of each histogram bin, and the bin's count; the last row counts the values outside.
Table table(const Result& now, const Selection& selection) {
    const Focus& f = selection.focus;
    const auto block = now.trace.block(f.block);
    const std::span<const float> values = pre_activations_shown(block->mlp.hidden, f);
    const Histogram h = histogram(values, activation_bins, low, high);
    constexpr float none = std::numeric_limits<float>::quiet_NaN();
    std::vector<float> x, gate, count;
    std::vector<std::string> bins;
    for (std::size_t i = 0; i < h.heights.size(); ++i) {
        x.push_back(static_cast<float>((h.edges[i] + h.edges[i + 1]) / 2));
        gate.push_back(static_cast<float>(normal_cdf(static_cast<double>(x.back()))));
        count.push_back(static_cast<float>(h.heights[i]));
        bins.push_back(fixed_text(h.edges[i], 3) + " … " + fixed_text(h.edges[i + 1], 3));
    }
    const double inside = std::accumulate(h.heights.begin(), h.heights.end(), 0.0);
    count.push_back(static_cast<float>(static_cast<double>(values.size()) - inside));
    gate.push_back(none);
    bins.push_back("beyond ±" + fixed_text(high, 0));
    std::vector<TableColumn> columns = {{"x", x}};
    columns.front().values.push_back(none);
    const Activation in_force = equations_of(now.model->config, now.experiment.what_ifs, {f.block}).activation;
    for (const Activation a : activations_shown(now.model->config, in_force)) {
        columns.push_back({activation_words(a) + (f.slopes ? "′" : ""), {}});
        for (const float at : x) columns.back().values.push_back(f.slopes ? activation_slope(a, at) : activate(a, at));
        columns.back().values.push_back(none);
    }
    columns.push_back({"Φ", gate});
    columns.push_back({f.all_tokens ? "pre-activations of all tokens" : "pre-activations", count});
    Table table = table_of_columns("activation", "pre-activation", columns);
    table.labels.front() = bins;
    return table;
}

}  // namespace activation_parts

Step activation_step() {
    return {.id = "activation",
            .own = {.node = Node::mlp,
                    .moves = true,
                    .depends = {.block = true, .token = true},
                    .cell = activation_parts::cell,
                    .table = activation_parts::table,
                    .of_model = activation_parts::of_model},
            .facts = activation_parts::facts,
            .switches = activation_parts::switches,
            .answer = activation_parts::answer,
            .answered = activation_parts::answered,
            .learn = "activation"};
}

}  // namespace vitrine
