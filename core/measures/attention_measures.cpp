#include "core/measures/attention_measures.h"

#include <algorithm>
#include <cmath>

#include "core/measures/analysis.h"
#include "core/tensor/entropy.h"

namespace vitrine {

std::vector<float> mean_readout_row(const BlockTrace& block, std::span<const float> shares) {
    const std::size_t heads = block.attention.shape()[0];
    std::vector<float> mean(block.attention.shape()[2], 0.0F);
    for (std::size_t head = 0; head < heads; ++head)
        for (std::size_t i = 0; i < shares.size(); ++i)
            for (std::size_t j = 0; j < mean.size() && shares[i] != 0.0F; ++j)
                mean[j] += shares[i] / static_cast<float>(heads) * block.attention(head, i, j);
    return mean;
}

double mean_attention_distance(const BlockTrace& block, int head, const Config& c) {
    const int width = c.grid_width();
    double sum = 0;
    for (int i = 0; i < c.patches(); ++i) {
        const std::span<const float> row = c.patches_of(attention_row(block, head, c.token_of(i)));
        for (int j = 0; j < c.patches(); ++j)
            sum += static_cast<double>(row[static_cast<std::size_t>(j)]) *
                   std::hypot(i % width - j % width, i / width - j / width);
    }
    return sum * c.patch_size / c.patches();
}

namespace {

/// Mean of of_row(row) over the rows of a head.
template <class OfRow>
double mean_over_queries(const BlockTrace& block, int head, OfRow of_row) {
    const int queries = static_cast<int>(block.attention.shape()[1]);
    double sum = 0;
    for (int i = 0; i < queries; ++i) sum += of_row(attention_row(block, head, i));
    return sum / queries;
}

}  // namespace

double mean_attention_entropy(const BlockTrace& block, int head) {
    return mean_over_queries(block, head, [](std::span<const float> row) { return static_cast<double>(entropy(row)); });
}

double mean_effective_tokens(const BlockTrace& block, int head) {
    return mean_over_queries(block, head,
                             [](std::span<const float> row) { return std::exp(static_cast<double>(entropy(row))); });
}

double jensen_shannon(std::span<const float> a, std::span<const float> b) {
    const auto part = [](double p, double middle) { return p > 0 ? p * std::log(p / middle) : 0; };
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const double x = static_cast<double>(a[i]), y = static_cast<double>(b[i]), middle = (x + y) / 2;
        sum += (part(x, middle) + part(y, middle)) / 2;
    }
    return std::max(0.0, sum);
}

double total_variation(std::span<const float> a, std::span<const float> b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i]));
    return sum / 2;
}

double mean_head_divergence(const BlockTrace& block) {
    const int heads = static_cast<int>(block.attention.shape()[0]),
              queries = static_cast<int>(block.attention.shape()[1]);
    if (heads < 2) return 0;
    double sum = 0;
    for (int a = 0; a < heads; ++a)
        for (int b = a + 1; b < heads; ++b)
            for (int i = 0; i < queries; ++i)
                sum += jensen_shannon(attention_row(block, a, i), attention_row(block, b, i));
    return sum / queries / (heads * (heads - 1) / 2);
}

}  // namespace vitrine
