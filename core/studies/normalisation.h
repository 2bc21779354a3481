#pragma once

#include <span>
#include <vector>

#include "core/tensor/parameter.h"
#include "core/tensor/tensor.h"

namespace vitrine {

// Layer normalisation step by step, and its variants, on one vector of D features.

/// The stages of LN(a)_i = γ_i (a_i − μ) / √(σ² + ε) + β_i (Ba et al. 2016).
struct NormStages {
    std::vector<float> input;    // a
    std::vector<float> centred;  // a − μ: mean 0
    std::vector<float> scaled;   // ÷ √(σ² + ε): standard deviation 1
    std::vector<float> out;      // · γ + β
    double mean = 0, variance = 0;
};
NormStages norm_stages(std::span<const float> a, const LayerNormWeights& weights, double epsilon);

// Other versions, before γ and β.

/// (a_i − μ) / (s + ε) with the unbiased standard deviation s (divided by D − 1) and ε outside the root, as in The
/// Annotated Transformer (Rush 2018).
std::vector<float> scaled_outside_root(std::span<const float> a, double epsilon);

/// √(σ² + ε) / (s + ε): the ratio of that version's output to LN(a) before γ and β.
double annotated_ratio(std::span<const float> a, double epsilon);

// Wrong versions from course code, before γ and β.

/// (a_i − μ) / (max |a − μ| + ε): the largest magnitude becomes 1, the standard deviation differs from token to token.
std::vector<float> scaled_to_maximum(std::span<const float> a, double epsilon);

/// (x_i − μ_i) / √(σ_i² + ε) of one row: mean and variance of each feature over all rows.      x (rows, D)  ->  (D)
std::vector<float> scaled_over_rows(const Tensor2& x, int row, double epsilon);

/// max |a_i − b_i|
float largest_difference(std::span<const float> a, std::span<const float> b);

/// Indices of the features whose standardised value is beyond ±limit, largest magnitude first.
std::vector<int> outliers(std::span<const float> scaled, float limit);

/// Mean and standard deviation (population).
struct Moments {
    double mean = 0, deviation = 0;
};
Moments moments_of(std::span<const float> values);

}  // namespace vitrine
