#pragma once

#include <vector>

#include "core/base/names.h"
#include "core/files/image.h"

namespace vitrine {

/// How a deep encoder is wired: what keeps its gradients alive, or lets them die.
enum class Wiring { pre_norm, post_norm, no_norm, no_skips, neither };
inline constexpr Named<Wiring> wiring_names[] = {{Wiring::pre_norm, "pre_norm"},
                                                 {Wiring::post_norm, "post_norm"},
                                                 {Wiring::no_norm, "no_norm"},
                                                 {Wiring::no_skips, "no_skips"},
                                                 {Wiring::neither, "neither"}};

/// ‖∂loss/∂z_ℓ‖ for ℓ = 0 … L, at the moment in which a deep encoder begins to learn.
struct GradientFlow {
    Wiring wiring = Wiring::pre_norm;
    std::vector<double> norms;
};

/// The same untrained encoder of 12 blocks (D 48, 3 heads, 64 patches), wired in every way, on one image: a forward and
/// a backward pass each. Its classifier is drawn at random too, since one of zeros sends nothing back.
std::vector<GradientFlow> gradient_flows(const Image& image);

}  // namespace vitrine
