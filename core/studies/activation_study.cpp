#include "core/studies/activation_study.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/base/random.h"
#include "core/tensor/ops.h"

namespace vitrine {

double exact_activation(Activation activation, double x) {
    const auto gate = [x](double steepness) { return x / (1 + std::exp(-steepness * x)); };
    switch (activation) {
        case Activation::gelu: return x * normal_cdf(x);
        case Activation::gelu_tanh:
            return x / 2 * (1 + std::tanh(std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x)));
        case Activation::quick_gelu: return gate(1.702);
        case Activation::relu: return std::max(x, 0.0);
        case Activation::elu: return x > 0 ? x : std::expm1(x);
        case Activation::silu: return gate(1);
    }
    return 0;
}

Difference largest_difference(Activation f, Activation g, double low, double high) {
    constexpr double step = 1e-3;
    Difference most{low, 0};
    const auto steps = static_cast<int>(std::lround((high - low) / step));
    for (int i = 0; i <= steps; ++i) {
        const double x = low + i * step;
        const auto at = static_cast<float>(x);
        const double amount = std::abs(static_cast<double>(activate(f, at)) - static_cast<double>(activate(g, at)));
        if (amount > most.amount) most = {x, amount};
    }
    return most;
}

FlatPoint flat_point(Activation activation, double low, double high) {
    const auto falls = [&](double x) { return activation_slope(activation, static_cast<float>(x)) < 0.0F; };
    const bool falls_at_first = falls(low);
    while (high - low > 1e-7) {
        const double middle = (low + high) / 2;
        (falls(middle) == falls_at_first ? low : high) = middle;
    }
    const double at = (low + high) / 2;
    return {at, static_cast<double>(activate(activation, static_cast<float>(at)))};
}

double sampled_gate(double x, int samples, std::uint64_t seed) {
    if (samples <= 0) return 0;
    constexpr double grain = 1e4;
    Random random(seed * 0x2545F4914F6CDD1DULL + static_cast<std::uint64_t>(std::llround(x * grain)));
    const double probability = normal_cdf(x);
    int open = 0;
    for (int i = 0; i < samples; ++i) open += random.uniform() < probability ? 1 : 0;
    return static_cast<double>(open) / samples;
}

}  // namespace vitrine
