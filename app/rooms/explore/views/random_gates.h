#pragma once

#include <vector>

#include "app/rooms/figures/scene.h"
#include "app/ui/widgets/plot.h"

namespace vitrine {

struct SliderValues;
class Selection;

// The idea of GELU: x times a random gate that is open with probability Φ(x), and its expectation.

/// Values of x, evenly spaced over the range in which activations are drawn.
std::vector<double> activation_axis();

/// Draws x · gate, averaged over the chosen number of samples: dots that converge to GELU.
void draw_sampled_curve(const Scene& scene, const Plot& plot, const SliderValues& dials);

/// Draws Φ(x) and the means of the random gates, and writes their deviation from Φ and that of x · gate from GELU. The
/// animation morphs ReLU's hard gate into Φ.
void draw_gate(const Scene& scene, Rect rect, const Selection& selection);

/// Draws the slider for the number of samples, in powers of two.
void draw_samples(const Scene& scene, Rect rect, Selection& selection);

}  // namespace vitrine
