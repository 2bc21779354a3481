#pragma once

#include <vector>

#include "core/transformer/config.h"

namespace vitrine {

struct Image;

/// ‖∂loss/∂z_ℓ‖ for ℓ = 0 … L, at the start of a deep encoder's training.
struct GradientFlow {
    Wiring wiring = Wiring::pre_norm;
    std::vector<double> norms;
};

/// The gradient flow of the same untrained encoder of 12 blocks (D 48, 3 heads, 64 patches) in each wiring, from one
/// forward and one backward pass on one image. Its classifier is random, as a zero classifier passes no gradient on.
std::vector<GradientFlow> gradient_flows(const Image& image);

}  // namespace vitrine
