#include "core/transformer/layer_scale.h"

#include <algorithm>
#include <functional>

namespace vitrine {

namespace {

/// Every row of x times the gain, feature by feature.
Tensor2 times_gain(const Parameter& gain, const Tensor2& x) {
    const std::size_t rows = rows_of(x), features = columns_of(x);
    Tensor2 out = tensor2(rows, features);
    for (std::size_t r = 0; r < rows; ++r)
        std::transform(&x(r, 0), &x(r, 0) + features, gain.data(), &out(r, 0), std::multiplies<>());
    return out;
}

}  // namespace

const Tensor2& scale_branch(const Parameter& gain, const Tensor2& branch, Tensor2& scaled) {
    if (gain.empty()) return branch;
    scaled = times_gain(gain, branch);
    return scaled;
}

Tensor2 scale_back(const GainBack& g, FlatNumbers& gradients, const Tensor2& d) {
    if (g.gain.empty()) return d;
    if (!g.into.empty()) {
        float* const sum = gradients.at(g.into);
        const std::size_t features = columns_of(d);
        std::fill_n(sum, features, 0.0F);
        for (std::size_t r = 0; r < rows_of(d); ++r)
            for (std::size_t i = 0; i < features; ++i) sum[i] += d(r, i) * g.branch(r, i);
    }
    return times_gain(g.gain, d);
}

}  // namespace vitrine
