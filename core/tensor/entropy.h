#pragma once

#include <span>

namespace vitrine {

/// H = −Σ p ln p of a distribution, in nats, between 0 and ln N; a weight of 0 contributes 0.
float entropy(std::span<const float> distribution);

/// H of the mean of two distributions of the same length: H((a + b) / 2).
float entropy_of_mean(std::span<const float> a, std::span<const float> b);

}  // namespace vitrine
