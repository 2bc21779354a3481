#include "core/tensor/entropy.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <xsimd/xsimd.hpp>

namespace vitrine {

namespace {

using Lanes = xsimd::batch<float>;
constexpr std::size_t lane_count = Lanes::size;

/// p ln p, and 0 for 0 (and for what rounding leaves below it).
Lanes term(Lanes p) {
    const Lanes least(1e-37F);
    return xsimd::select(p > least, p * xsimd::log(xsimd::max(p, least)), Lanes(0.0F));
}

double term(float p) { return p > 0.0F ? static_cast<double>(p) * std::log(static_cast<double>(p)) : 0.0; }

/// Σ p ln p over the first `count` values that `lanes` and `one` give, summed in runs so that float keeps its digits.
template <class LanesAt, class OneAt>
double sum_of_terms(std::size_t count, LanesAt lanes, OneAt one) {
    constexpr std::size_t run = 16 * lane_count;
    double sum = 0.0;
    std::size_t i = 0;
    while (i + lane_count <= count) {
        Lanes part(0.0F);
        const std::size_t end = std::min(count, i + run);
        for (; i + lane_count <= end; i += lane_count) part += term(lanes(i));
        alignas(64) float parts[lane_count];
        part.store_aligned(parts);
        for (const float one_lane : parts) sum += static_cast<double>(one_lane);
    }
    for (; i < count; ++i) sum += term(one(i));
    return sum;
}

float positive(double negative_entropy) {
    return negative_entropy < 0.0 ? static_cast<float>(-negative_entropy) : 0.0F;
}

}  // namespace

float entropy(std::span<const float> p) {
    return positive(sum_of_terms(
        p.size(), [&](std::size_t i) { return Lanes::load_unaligned(p.data() + i); },
        [&](std::size_t i) { return p[i]; }));
}

float entropy_of_mean(std::span<const float> a, std::span<const float> b) {
    const Lanes half(0.5F);
    return positive(sum_of_terms(
        a.size(),
        [&](std::size_t i) {
            return half * (Lanes::load_unaligned(a.data() + i) + Lanes::load_unaligned(b.data() + i));
        },
        [&](std::size_t i) { return 0.5F * (a[i] + b[i]); }));
}

}  // namespace vitrine
