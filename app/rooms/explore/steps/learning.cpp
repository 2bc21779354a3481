#include <algorithm>

#include "app/rooms/explore/steps/step.h"
#include "app/ui/text.h"
#include "app/ui/widgets/number.h"
#include "app/workspace/result.h"
#include "core/training/gradient_flow.h"

namespace vitrine {

namespace {

const GradientFlow& chosen_flow(const Result& now, const Selection& selection) {
    return (*now.gradient_flows)[static_cast<std::size_t>(selection.focus.dials.wiring)];
}

std::vector<Fact> facts(const Ui& ui, const Result& now, const Selection& selection) {
    const GradientFlow& flow = chosen_flow(now, selection);
    const double last = flow.norms.back(), first = flow.norms.front();
    return {{ui.text("fact.wiring"), ui.text("gradients.wiring." + std::to_string(selection.focus.dials.wiring)), {}},
            number_fact("‖∂L/∂z₁₂‖", last),
            number_fact("‖∂L/∂z₀‖", first),
            number_fact("‖∂L/∂z₀‖ ÷ ‖∂L/∂z₁₂‖", last > 0 ? first / last : 0)};
}

/// The wiring whose gradient has faded most on its way to the image.
int faintest(const Result& now) {
    const auto share = [](const GradientFlow& f) { return f.norms.back() > 0 ? f.norms.front() / f.norms.back() : 0; };
    const auto& flows = *now.gradient_flows;
    const auto least =
        std::min_element(flows.begin(), flows.end(), [&](const auto& a, const auto& b) { return share(a) < share(b); });
    return static_cast<int>(least->wiring);
}

std::string answer(const Ui& ui, const Result& now, const Selection&) {
    const int least = faintest(now);
    const GradientFlow& flow = (*now.gradient_flows)[static_cast<std::size_t>(least)];
    return ui.text("step.learning.answer", {{"wiring", ui.text("gradients.wiring." + std::to_string(least))},
                                            {"last", number_text(flow.norms.back())},
                                            {"first", number_text(flow.norms.front())}});
}

bool answered(const Result& now, const Selection& selection, const WhatIfs&) {
    return selection.focus.dials.wiring == faintest(now);
}

}  // namespace

Step learning_step() {
    return {.id = "learning",
            .node = Node::nowhere,
            .view = gradients_view,
            .facts = facts,
            .moves = true,
            .answer = answer,
            .answered = answered,
            .learn = "wiring"};
}

}  // namespace vitrine
