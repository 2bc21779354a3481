#pragma once

#include <cstdint>

#include "core/tensor/parameter.h"

namespace vitrine {

/// Where two activations differ most between two bounds, found on a grid of a thousandth.
struct Difference {
    double at = 0;      // x
    double amount = 0;  // |f(x) − g(x)|
};
Difference largest_difference(Activation f, Activation g, double low, double high);

/// Where an activation is flat between two bounds at which its derivative has opposite signs: GELU's minimum.
struct FlatPoint {
    double at = 0;     // x
    double value = 0;  // f(x)
};
FlatPoint flat_point(Activation activation, double low, double high);

/// The mean of `samples` random gates, each 1 with probability Φ(x), else 0: times x it comes to GELU(x)
/// (Hendrycks & Gimpel 2016). The same for the same seed on every platform; each x has gates of its own.
double sampled_gate(double x, int samples, std::uint64_t seed);

}  // namespace vitrine
