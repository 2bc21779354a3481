#include <algorithm>
#include <utility>

#include "app/chapters/step.h"
#include "app/rooms/figures/scene.h"
#include "app/ui/text.h"
#include "app/ui/ui.h"
#include "app/ui/widgets/number.h"
#include "app/workspace/block_parts.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "core/measures/analysis.h"

namespace vitrine {

namespace mlp_parts {

std::shared_ptr<const MlpTrace> mlp_of(const Trace& trace, const Focus& f) {
    const auto block = trace.block(f.block);
    return {block, &block->mlp};
}

std::vector<Fact> facts(const Ui& ui, const Result& now, const Selection& selection) {
    const Config& c = now.model->config;
    const auto token = static_cast<std::size_t>(selection.focus.token);
    const auto unit = static_cast<std::size_t>(selection.unit_in_view());
    const auto mlp = mlp_of(now.trace, selection.focus);
    const float* const row = &mlp->hidden(token, 0);
    const auto active = std::count_if(row, row + c.mlp_dim, [](float x) { return x > 0; });
    if (c.gated_mlp)
        return {{ui.text("fact.selected"), short_token_name(ui, now, selection.focus.token), {}},
                {ui.text("fact.unit"), ui.ordinal(selection.unit_in_view()), {}},
                number_fact(ui.text("fact.gate"), static_cast<double>(mlp->hidden(token, unit))),
                number_fact(ui.text("fact.after"), static_cast<double>(mlp->activation(token, unit))),
                number_fact(ui.text("fact.value"), static_cast<double>(mlp->value(token, unit))),
                number_fact(ui.text("fact.product"), static_cast<double>(mlp->gated(token, unit))),
                shape_fact("W{sub|g}", {c.mlp_dim, c.embedding_dim}),
                shape_fact("W{sub|x}", {c.mlp_dim, c.embedding_dim}),
                shape_fact("W₂", {c.embedding_dim, c.mlp_dim})};
    return {{ui.text("fact.selected"), short_token_name(ui, now, selection.focus.token), {}},
            {ui.text("fact.unit"), ui.ordinal(selection.unit_in_view()), {}},
            number_fact(ui.text("fact.before"), static_cast<double>(mlp->hidden(token, unit))),
            number_fact(ui.text("fact.after"), static_cast<double>(mlp->activation(token, unit))),
            {ui.text("fact.active"), count_text(active) + " / " + count_text(c.mlp_dim), {}},
            shape_fact("W₁", {c.mlp_dim, c.embedding_dim}),
            shape_fact("W₂", {c.embedding_dim, c.mlp_dim})};
}

std::optional<Cell> cell(const Result& now, const Selection& selection) {
    return Cell{now.model->config.gated_mlp ? Quantity::mlp_gated : Quantity::mlp_activation, selection.focus.block, 0,
                selection.focus.token, selection.unit_in_view()};
}

std::vector<Intervention> switches(const Result&, const Focus& focus) {
    return {remove_mlp(focus.block), activate_with(Activation::relu), activate_with(Activation::elu)};
}

/// The unit with the largest activation for the chosen token.
int most_active_unit(const Result& now, const Focus& focus) {
    const auto mlp = mlp_of(now.trace, focus);
    const Tensor2& hidden = mlp->hidden_layer();
    return largest({&hidden(static_cast<std::size_t>(focus.token), 0), hidden.shape()[1]}, 1).front();
}

/// The patch with the largest activation of a unit, and that activation.
std::pair<int, float> most_exciting(const Result& now, const Focus& focus, int unit) {
    const auto mlp = mlp_of(now.trace, focus);
    const Config& c = now.model->config;
    const auto value = [&](int patch) {
        return mlp->hidden_layer()(static_cast<std::size_t>(c.token_of(patch)), static_cast<std::size_t>(unit));
    };
    int best = 0;
    for (int patch = 1; patch < c.patches(); ++patch)
        if (value(patch) > value(best)) best = patch;
    return {c.token_of(best), value(best)};
}

std::string answer(const Ui& ui, const Result& now, const Selection& selection) {
    const Focus& focus = selection.focus;
    const int unit = most_active_unit(now, focus);
    const auto [token, value] = most_exciting(now, focus, unit);
    const float own =
        mlp_of(now.trace, focus)->hidden_layer()(static_cast<std::size_t>(focus.token), static_cast<std::size_t>(unit));
    const char* const key = own <= 0     ? "step.mlp.answer_none"
                            : value <= 0 ? "step.mlp.answer_no_patch"
                                         : "step.mlp.answer";
    return ui.text(key, {{"unit", ui.ordinal(unit)},
                         {"chosen", short_token_name(ui, now, focus.token)},
                         {"own", number_text(static_cast<double>(own))},
                         {"token", short_token_name(ui, now, token)},
                         {"value", number_text(static_cast<double>(value))}});
}

bool answered(const Result& now, const Selection& selection, const WhatIfs&) {
    return selection.focus.unit == most_active_unit(now, selection.focus);
}

std::optional<Guessed> guessed(const Ui& ui, const Result& now, const Selection& selection) {
    const Focus& focus = selection.focus;
    const float value =
        mlp_of(now.trace, focus)
            ->hidden_layer()(static_cast<std::size_t>(focus.token), static_cast<std::size_t>(focus.unit));
    return Guessed{
        answered(now, selection, {}),
        ui.text("guess.unit", {{"unit", ui.ordinal(focus.unit)}, {"value", number_text(static_cast<double>(value))}})};
}

std::string equation(const Result& now, const Focus&) {
    return "mlp" + equation_of_block_parts("mlp", now.model->config);
}

}  // namespace mlp_parts

Step mlp_step() {
    return {.id = "mlp",
            .own = {.node = Node::mlp,
                    .moves = true,
                    .depends = {.block = true, .token = true},
                    .cell = mlp_parts::cell,
                    .guessed = mlp_parts::guessed,
                    .guess_in = [](const Focus& focus) { return focus.unit; }},
            .facts = mlp_parts::facts,
            .switches = mlp_parts::switches,
            .answer = mlp_parts::answer,
            .answered = mlp_parts::answered,
            .equation = mlp_parts::equation};
}

}  // namespace vitrine
