#pragma once

#include <vector>

#include "app/rooms/figures/scene.h"
#include "app/ui/widgets/plot.h"

namespace vitrine {

struct Dials;
class Selection;

// GELU's idea: x times a random gate that is open with probability Φ(x), and the expectation of that.

/// Between these bounds the activations are drawn.
inline constexpr double activations_low = -4, activations_high = 4;
std::vector<double> activation_axis();

/// x · gate, averaged over the samples of the dials: dots that settle on GELU.
void draw_sampled_curve(const Scene& scene, const Plot& plot, const Dials& dials);

/// Φ(x) and the mean of the random gates, how far they are from it, and times x from GELU; the motion lets ReLU's hard
/// gate go over into Φ.
void draw_gate(const Scene& scene, Rect rect, const Selection& selection);

/// The slider for the number of samples, on a scale that doubles.
void draw_samples(const Scene& scene, Rect rect, Selection& selection);

}  // namespace vitrine
