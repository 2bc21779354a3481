#include <algorithm>

#include "app/rooms/explore/steps/step.h"
#include "app/ui/text.h"
#include "app/ui/widgets/number.h"
#include "app/workspace/result.h"
#include "core/measures/analysis.h"

namespace vitrine {

namespace {

std::shared_ptr<const MlpTrace> mlp_of(const Trace& trace, const Focus& f) {
    const auto block = trace.block(f.block);
    return {block, &block->mlp};
}

std::vector<Fact> facts(const Ui& ui, const Result& now, const Selection& selection) {
    const Config& c = now.model->config;
    const auto token = static_cast<std::size_t>(selection.token_in_view());
    const auto unit = static_cast<std::size_t>(selection.unit_in_view());
    const auto mlp = mlp_of(now.trace, selection.focus);
    const float* const row = &mlp->hidden(token, 0);
    const auto active = std::count_if(row, row + c.mlp_dim, [](float x) { return x > 0; });
    return {{ui.text("fact.selected"), short_token_name(ui, selection.token_in_view()), {}},
            {ui.text("fact.unit"), count_text(selection.unit_in_view()), {}},
            number_fact(ui.text("fact.before"), static_cast<double>(mlp->hidden(token, unit))),
            number_fact(ui.text("fact.after"), static_cast<double>(mlp->activation(token, unit))),
            {ui.text("fact.active"), count_text(active) + " / " + count_text(c.mlp_dim), {}},
            shape_fact("W₁", {c.mlp_dim, c.embedding_dim}),
            shape_fact("W₂", {c.embedding_dim, c.mlp_dim})};
}

std::optional<Cell> cell(const Result&, const Selection& selection) {
    return Cell{Quantity::mlp_activation, selection.focus.block, 0, selection.token_in_view(),
                selection.unit_in_view()};
}

std::vector<Intervention> switches(const Result&, const Focus& focus) {
    return {remove_mlp(focus.block), activate_with(Activation::relu), activate_with(Activation::elu)};
}

std::string answer(const Ui& ui, const Result& now, const Selection& selection) {
    const auto mlp = mlp_of(now.trace, selection.focus);
    const auto unit = static_cast<std::size_t>(selection.focus.unit);
    const Config& c = now.model->config;
    std::vector<float> values;
    for (int patch = 0; patch < c.patches(); ++patch)
        values.push_back(mlp->activation(static_cast<std::size_t>(c.token_of(patch)), unit));
    const int best = largest(values, 1).front();
    return ui.text("step.mlp.answer",
                   {{"unit", std::to_string(unit)},
                    {"token", short_token_name(ui, c.token_of(best))},
                    {"value", number_text(static_cast<double>(values[static_cast<std::size_t>(best)]))}});
}

bool answered(const Result&, const Selection& selection, const WhatIfs&) { return selection.focus.unit > 0; }

}  // namespace

Step mlp_step() {
    return {.id = "mlp",
            .node = Node::mlp,
            .view = mlp_view,
            .facts = facts,
            .moves = true,
            .cell = cell,
            .switches = switches,
            .answer = answer,
            .answered = answered};
}

}  // namespace vitrine
