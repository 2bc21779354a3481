#include <algorithm>
#include <cmath>
#include <limits>

#include "app/chapters/step.h"
#include "app/rooms/figures/scene.h"
#include "app/ui/text.h"
#include "app/ui/ui.h"
#include "app/ui/widgets/number.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "core/files/table.h"
#include "core/training/gradient_flow.h"

namespace vitrine {

namespace learning_parts {

const GradientFlow& flow_of(const Result& now, Wiring wiring) {
    return *std::ranges::find(*now.gradient_flows, wiring, &GradientFlow::wiring);
}

std::string wiring_words(const Ui& ui, Wiring wiring) {
    return ui.text(std::string("gradients.wiring.") + name_in(wiring_names, wiring));
}

std::vector<Fact> facts(const Ui& ui, const Result& now, const Selection& selection) {
    const GradientFlow& flow = flow_of(now, selection.focus.dials.wiring);
    const double last = flow.norms.back(), first = flow.norms.front();
    return {{ui.text("fact.wiring"), wiring_words(ui, selection.focus.dials.wiring), {}},
            number_fact("‖∂L/∂z₁₂‖", last),
            number_fact("‖∂L/∂z₀‖", first),
            number_fact("‖∂L/∂z₀‖ ÷ ‖∂L/∂z₁₂‖", last > 0 ? first / last : 0)};
}

/// The wiring with the smallest change of the gradient's length between the last level and the image.
Wiring steadiest(const Result& now) {
    const auto change = [](const GradientFlow& f) {
        return f.norms.front() > 0 ? std::abs(std::log10(f.norms.back() / f.norms.front()))
                                   : std::numeric_limits<double>::infinity();
    };
    return std::ranges::min_element(*now.gradient_flows, {}, change)->wiring;
}

std::string answer(const Ui& ui, const Result& now, const Selection&) {
    const Wiring best = steadiest(now);
    const GradientFlow& flow = flow_of(now, best);
    return ui.text("step.learning.answer", {{"wiring", wiring_words(ui, best)},
                                            {"last", number_text(flow.norms.back())},
                                            {"first", number_text(flow.norms.front())}});
}

bool answered(const Result& now, const Selection& selection, const WhatIfs&) {
    return selection.focus.dials.wiring == steadiest(now);
}

/// The curves of the figure.
Table table(const Result& now, const Selection&) {
    std::vector<TableColumn> columns;
    for (const GradientFlow& flow : *now.gradient_flows)
        columns.push_back({name_in(wiring_names, flow.wiring), {flow.norms.begin(), flow.norms.end()}});
    return table_of_columns("gradient_norms", "level", columns);
}

}  // namespace learning_parts

Step learning_step() {
    return {.id = "learning",
            .own = {.node = Node::nowhere,
                    .moves = true,
                    .beside = {.gradient_flows = true},
                    .table = learning_parts::table},
            .facts = learning_parts::facts,
            .answer = learning_parts::answer,
            .answered = learning_parts::answered,
            .learn = "skips"};
}

}  // namespace vitrine
