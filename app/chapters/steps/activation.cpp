#include <algorithm>

#include "app/chapters/step.h"
#include "app/rooms/figures/scene.h"
#include "app/ui/text.h"
#include "app/ui/ui.h"
#include "app/ui/widgets/number.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "core/studies/activation_study.h"
#include "core/vit/experiment.h"

namespace vitrine {

namespace activation_parts {

constexpr double low = -4, high = 4;  // range of the curves

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
        number_fact("GELU(x)", number(activate(Activation::gelu, x))),
        number_fact("GELU′(x)", number(activation_slope(Activation::gelu, x))),
        number_fact("ReLU(x)", number(activate(Activation::relu, x))),
        number_fact("ELU(x)", number(activate(Activation::elu, x))),
        {ui.text("fact.below"), percent_text(static_cast<double>(below) / static_cast<double>(hidden.shape()[1])), {}},
        shape_fact("u", {static_cast<int>(hidden.shape()[0]), static_cast<int>(hidden.shape()[1])})};
}

std::optional<Cell> cell(const Result&, const Selection& selection) {
    return Cell{Quantity::mlp_activation, selection.focus.block, 0, selection.focus.token, selection.unit_in_view()};
}

/// Activations other than the model's own.
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

}  // namespace activation_parts

Step activation_step() {
    return {.id = "activation",
            .own = {.node = Node::mlp,
                    .moves = true,
                    .depends = {.block = true, .token = true},
                    .cell = activation_parts::cell,
                    .of_model = activation_parts::of_model},
            .facts = activation_parts::facts,
            .switches = activation_parts::switches,
            .answer = activation_parts::answer,
            .answered = activation_parts::answered,
            .learn = "activation"};
}

}  // namespace vitrine
