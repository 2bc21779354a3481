#include "core/measures/outliers.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "core/measures/analysis.h"

namespace vitrine {

namespace {

/// The median; for an even count, the mean of the two middle values.
float median_of(std::vector<float> values) {
    if (values.empty()) return 0.0F;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    if (values.size() % 2 == 1) return *middle;
    return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

constexpr float massive_least = 100.0F, massive_times = 1000.0F;
constexpr float normal_deviations = 1.4826F;  // normal distribution: σ ÷ median absolute deviation

}  // namespace

TokenNorms token_norms(const Config& c, const Trace& trace, float reach) {
    const std::size_t levels = static_cast<std::size_t>(trace.blocks()) + 1, n = trace.embedding->z.shape()[0];
    TokenNorms t{tensor2(levels, n), {}};
    for (std::size_t l = 0; l < levels; ++l) {
        const std::vector<float> norms = row_norms(trace.z(static_cast<int>(l)));
        std::copy(norms.begin(), norms.end(), &t.norms(l, 0));
        TokenNorms::Level& level = t.levels.emplace_back();
        const std::span<const float> patches = c.patches_of(norms);
        level.median = median_of({patches.begin(), patches.end()});
        std::vector<float> distances;
        for (const float x : patches) distances.push_back(std::abs(x - level.median));
        level.deviation = normal_deviations * median_of(distances);
        for (auto i = static_cast<std::size_t>(c.token_of(0)); i < n; ++i)
            if (level.deviation > 0.0F && norms[i] > level.median + reach * level.deviation)
                level.outliers.push_back(static_cast<int>(i));
    }
    return t;
}

std::vector<MassiveActivation> massive_activations(const Trace& trace) {
    std::vector<MassiveActivation> found;
    for (int l = 0; l <= trace.blocks(); ++l) {
        const Tensor2& z = trace.z(l);
        if (std::none_of(z.begin(), z.end(), [](float x) { return std::abs(x) > massive_least; })) continue;
        std::vector<float> magnitudes;
        for (const float x : z) magnitudes.push_back(std::abs(x));
        const float median = median_of(magnitudes);
        const std::size_t first = found.size(), features = z.shape()[1];
        for (std::size_t i = 0; i < magnitudes.size(); ++i)
            if (magnitudes[i] > massive_least && magnitudes[i] >= massive_times * median)
                found.push_back({l, static_cast<int>(i / features), static_cast<int>(i % features), z.data()[i],
                                 median > 0 ? magnitudes[i] / median : INFINITY});
        std::stable_sort(found.begin() + static_cast<std::ptrdiff_t>(first), found.end(),
                         [](const auto& a, const auto& b) { return std::abs(a.value) > std::abs(b.value); });
    }
    return found;
}

}  // namespace vitrine
