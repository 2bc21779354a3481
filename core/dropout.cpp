#include "core/dropout.h"

#include <cassert>

#include "core/random.h"

namespace vitrine {

std::vector<bool> dropout_mask(std::size_t count, float p, std::uint64_t seed) {
    Random random(seed);
    std::vector<bool> mask(count);
    for (std::size_t i = 0; i < count; ++i) mask[i] = random.uniform() >= static_cast<double>(p);
    return mask;
}

std::vector<float> dropped_out(std::span<const float> x, const std::vector<bool>& mask, float p) {
    assert(x.size() == mask.size());
    std::vector<float> y(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) y[i] = mask[i] && p < 1.0F ? x[i] / (1.0F - p) : 0.0F;
    return y;
}

}  // namespace vitrine
