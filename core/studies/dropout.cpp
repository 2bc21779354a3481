#include "core/studies/dropout.h"

#include <cassert>
#include <cmath>

#include "core/base/random.h"

namespace vitrine {

namespace {

bool keeps(Random& random, float p) { return random.uniform() >= static_cast<double>(p); }

}  // namespace

std::vector<bool> dropout_mask(std::size_t count, float p, std::uint64_t seed) {
    Random random(seed);
    std::vector<bool> mask(count);
    for (std::size_t i = 0; i < count; ++i) mask[i] = keeps(random, p);
    return mask;
}

std::vector<float> dropped_out(std::span<const float> x, const std::vector<bool>& mask, float p) {
    assert(x.size() == mask.size());
    std::vector<float> y(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) y[i] = mask[i] && p < 1.0F ? x[i] / (1.0F - p) : 0.0F;
    return y;
}

std::vector<double> averaging_errors(std::span<const float> x, float p, std::uint64_t seed, int masks) {
    assert(p < 1.0F);
    std::vector<double> sum(x.size()), errors;
    for (int k = 1; k <= masks; ++k) {
        Random random(seed + static_cast<std::uint64_t>(k - 1));
        double error = 0;
        for (std::size_t i = 0; i < x.size(); ++i) {
            if (keeps(random, p)) sum[i] += static_cast<double>(x[i] / (1.0F - p));
            error += std::abs(sum[i] / k - static_cast<double>(x[i]));
        }
        errors.push_back(x.empty() ? 0.0 : error / static_cast<double>(x.size()));
    }
    return errors;
}

}  // namespace vitrine
