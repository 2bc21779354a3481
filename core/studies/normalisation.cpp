#include "core/studies/normalisation.h"

#include <algorithm>
#include <cmath>

namespace vitrine {

namespace {

double at(const Parameter& p, std::size_t i) { return static_cast<double>(p(i)); }

/// s = √(Σ (a_i − μ)² / (D − 1))
double unbiased_deviation(const Moments& m, std::size_t features) {
    const auto count = static_cast<double>(features);
    return m.deviation * std::sqrt(count / std::max(1.0, count - 1));
}

}  // namespace

Moments moments_of(std::span<const float> values) {
    if (values.empty()) return {};
    const auto count = static_cast<double>(values.size());
    double sum = 0.0, squares = 0.0;
    for (const float x : values) sum += static_cast<double>(x);
    const double mean = sum / count;
    for (const float x : values) squares += (static_cast<double>(x) - mean) * (static_cast<double>(x) - mean);
    return {mean, std::sqrt(squares / count)};
}

NormStages norm_stages(std::span<const float> a, const LayerNormWeights& weights, double epsilon) {
    const Moments m = moments_of(a);
    NormStages s{{a.begin(), a.end()}, {}, {}, {}, m.mean, m.deviation * m.deviation};
    const double divisor = std::sqrt(s.variance + epsilon);
    for (const float x : a) {
        const double centred = static_cast<double>(x) - m.mean;
        s.centred.push_back(static_cast<float>(centred));
        s.scaled.push_back(static_cast<float>(centred / divisor));
    }
    for (std::size_t i = 0; i < a.size(); ++i)
        s.out.push_back(static_cast<float>(at(weights.gamma, i) * (static_cast<double>(a[i]) - m.mean) / divisor +
                                           at(weights.beta, i)));
    return s;
}

std::vector<float> scaled_outside_root(std::span<const float> a, double epsilon) {
    const Moments m = moments_of(a);
    const double divisor = unbiased_deviation(m, a.size()) + epsilon;
    std::vector<float> scaled;
    for (const float x : a) scaled.push_back(static_cast<float>((static_cast<double>(x) - m.mean) / divisor));
    return scaled;
}

double annotated_ratio(std::span<const float> a, double epsilon) {
    const Moments m = moments_of(a);
    return std::sqrt(m.deviation * m.deviation + epsilon) / (unbiased_deviation(m, a.size()) + epsilon);
}

float largest_difference(std::span<const float> a, std::span<const float> b) {
    float largest = 0.0F;
    for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
    return largest;
}

std::vector<int> outliers(std::span<const float> scaled, float limit) {
    std::vector<int> found;
    for (std::size_t i = 0; i < scaled.size(); ++i)
        if (std::abs(scaled[i]) > limit) found.push_back(static_cast<int>(i));
    std::stable_sort(found.begin(), found.end(), [&](int a, int b) {
        return std::abs(scaled[static_cast<std::size_t>(a)]) > std::abs(scaled[static_cast<std::size_t>(b)]);
    });
    return found;
}

std::vector<float> scaled_to_maximum(std::span<const float> a, double epsilon) {
    const double mean = moments_of(a).mean;
    double largest = 0;
    for (const float x : a) largest = std::max(largest, std::abs(static_cast<double>(x) - mean));
    std::vector<float> scaled;
    for (const float x : a) scaled.push_back(static_cast<float>((static_cast<double>(x) - mean) / (largest + epsilon)));
    return scaled;
}

std::vector<float> scaled_over_rows(const Tensor2& x, int row, double epsilon) {
    const std::size_t rows = x.shape()[0], features = x.shape()[1];
    std::vector<double> mean(features, 0.0), variance(features, 0.0);
    for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t i = 0; i < features; ++i) mean[i] += static_cast<double>(x(r, i)) / static_cast<double>(rows);
    for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t i = 0; i < features; ++i) {
            const double off = static_cast<double>(x(r, i)) - mean[i];
            variance[i] += off * off / static_cast<double>(rows);
        }
    std::vector<float> scaled;
    for (std::size_t i = 0; i < features; ++i)
        scaled.push_back(static_cast<float>((static_cast<double>(x(static_cast<std::size_t>(row), i)) - mean[i]) /
                                            std::sqrt(variance[i] + epsilon)));
    return scaled;
}

}  // namespace vitrine
