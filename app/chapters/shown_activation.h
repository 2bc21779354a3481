#pragma once

#include <span>
#include <vector>

#include "app/workspace/selection.h"
#include "core/tensor/tensor.h"
#include "core/vit/model.h"

namespace vitrine {

/// Range of the curves in the chapter about activations, and the bins of the histogram below them.
inline constexpr double activations_low = -4, activations_high = 4;
inline constexpr int activation_bins = 64;

/// The functions whose curves are drawn: those of the course, and SiLU where the model has it or a what-if sets it.
inline std::vector<Activation> activations_shown(const Config& c, Activation in_force) {
    std::vector<Activation> shown = {Activation::relu, Activation::elu, Activation::gelu};
    if (in_force == Activation::silu || c.activation == Activation::silu) shown.push_back(Activation::silu);
    return shown;
}

/// The pre-activations in the histogram: those of the chosen token, or of all.      hidden (N, M)
inline std::span<const float> pre_activations_shown(const Tensor2& hidden, const Focus& focus) {
    if (focus.all_tokens) return {hidden.data(), hidden.size()};
    return {&hidden(static_cast<std::size_t>(focus.token), 0), hidden.shape()[1]};
}

}  // namespace vitrine
