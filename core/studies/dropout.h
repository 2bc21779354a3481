#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace vitrine {

/// Inverted dropout (Srivastava et al. 2014): which numbers stay, each with probability 1 − p on its own; the same for
/// the same seed on every platform.
std::vector<bool> dropout_mask(std::size_t count, float p, std::uint64_t seed);

/// m ⊙ x / (1 − p); zeros where p is 1.
std::vector<float> dropped_out(std::span<const float> x, const std::vector<bool>& mask, float p);

/// How the expected value comes back: the mean over i of |average of the first k outputs − x|, k = 1 … masks, the masks
/// being those of `seed`, `seed` + 1 …      x (n)  ->  (masks); it falls as 1/√k, and p is below 1
std::vector<double> averaging_errors(std::span<const float> x, float p, std::uint64_t seed, int masks);

}  // namespace vitrine
