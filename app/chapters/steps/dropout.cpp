#include "core/studies/dropout.h"

#include <algorithm>
#include <cmath>

#include "app/chapters/step.h"
#include "app/rooms/figures/scene.h"
#include "app/ui/text.h"
#include "app/ui/ui.h"
#include "app/ui/widgets/number.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "core/files/table.h"
#include "core/studies/normalisation.h"

namespace vitrine {

namespace dropout_parts {

std::vector<float> activations(const Result& now, const Selection& selection) {
    const auto block = now.trace.block(selection.focus.block);
    const Tensor2& all = block->mlp.activation;
    const float* const row = &all(static_cast<std::size_t>(selection.focus.token), 0);
    return {row, row + all.shape()[1]};
}

std::vector<Fact> facts(const Ui& ui, const Result& now, const Selection& selection) {
    const SliderValues& dials = selection.focus.dials;
    const std::vector<float> x = activations(now, selection);
    const std::vector<bool> mask = dropout_mask(x.size(), dials.dropout, static_cast<std::uint64_t>(dials.seed));
    const auto dropped = std::count(mask.begin(), mask.end(), false);
    return {
        {ui.text("fact.seed"), count_text(dials.seed), {}},
        number_fact("p", static_cast<double>(dials.dropout)),
        number_fact(ui.text("fact.scale"), 1 / (1 - static_cast<double>(dials.dropout))),
        {ui.text("fact.dropped"), count_text(dropped) + " / " + count_text(static_cast<std::int64_t>(mask.size())), {}},
        number_fact(ui.text("fact.mean_before"), moments_of(x).mean),
        number_fact(ui.text("fact.mean_after"), moments_of(dropped_out(x, mask, dials.dropout)).mean)};
}

/// The answer, with the numbers of the figure's plot.
std::string answer(const Ui& ui, const Result& now, const Selection& selection) {
    const SliderValues& dials = selection.focus.dials;
    const std::vector<double> errors = averaging_errors(activations(now, selection), dials.dropout,
                                                        static_cast<std::uint64_t>(dials.seed), masks_averaged);
    return ui.text("step.dropout.answer", {{"p", number_text(static_cast<double>(dials.dropout))},
                                           {"count", std::to_string(masks_averaged)},
                                           {"error", number_text(errors.back())},
                                           {"one", number_text(errors.front())}});
}

/// True for p = 0.5, which doubles the kept activations.
bool answered(const Result&, const Selection& selection, const WhatIfs&) {
    constexpr float half = 0.5F, close = 0.005F;
    return std::abs(selection.focus.dials.dropout - half) < close;
}

/// The units before and after the mask.
Table table(const Result& now, const Selection& selection) {
    const SliderValues& dials = selection.focus.dials;
    const std::vector<float> x = activations(now, selection);
    const std::vector<bool> mask = dropout_mask(x.size(), dials.dropout, static_cast<std::uint64_t>(dials.seed));
    return table_of_columns(
        "dropout", "unit",
        {{"x", x}, {"m", {mask.begin(), mask.end()}}, {"m ⊙ x ÷ (1 − p)", dropped_out(x, mask, dials.dropout)}});
}

}  // namespace dropout_parts

Step dropout_step() {
    return {.id = "dropout",
            .own = {.node = Node::mlp,
                    .moves = true,
                    .depends = {.block = true, .token = true},
                    .table = dropout_parts::table},
            .facts = dropout_parts::facts,
            .answer = dropout_parts::answer,
            .answered = dropout_parts::answered,
            .learn = "dropout"};
}

}  // namespace vitrine
