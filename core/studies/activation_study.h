#pragma once

#include <cstdint>

#include "core/tensor/parameter.h"

namespace vitrine {

/// An activation in double precision, for x where the model's float32 result is mere rounding error: GELU far left.
double exact_activation(Activation activation, double x);

/// The place of the largest difference between two activations in an interval, on a grid of 0.001.
struct Difference {
    double at = 0;      // x
    double amount = 0;  // |f(x) − g(x)|
};
Difference largest_difference(Activation f, Activation g, double low, double high);

/// A point in an interval where an activation's derivative changes its sign: GELU's minimum.
struct FlatPoint {
    double at = 0;     // x
    double value = 0;  // f(x)
};
FlatPoint flat_point(Activation activation, double low, double high);

/// Mean of `samples` random gates, each 1 with probability Φ(x), else 0; its product with x tends to GELU(x) (Hendrycks
/// & Gimpel 2016). The same on every platform for a seed; each x draws its own gates.
double sampled_gate(double x, int samples, std::uint64_t seed);

}  // namespace vitrine
