#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace vitrine {

/// Inverted dropout (Srivastava et al. 2014): true where a number is kept, each independently with probability 1 − p.
/// The same on every platform for a seed.
std::vector<bool> dropout_mask(std::size_t count, float p, std::uint64_t seed);

/// m ⊙ x / (1 − p); zeros where p is 1.
std::vector<float> dropped_out(std::span<const float> x, const std::vector<bool>& mask, float p);

/// Convergence of averaged dropout to x: the mean over i of |average of the first k outputs − x|, for k = 1 … masks;
/// mask k has the seed `seed` + k − 1. Falls as 1/√k. p must be below 1.      x (n)  ->  (masks)
std::vector<double> averaging_errors(std::span<const float> x, float p, std::uint64_t seed, int masks);

}  // namespace vitrine
