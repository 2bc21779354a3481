#include "core/measures/head_statistics.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/analysis.h"
#include "core/entropy.h"

namespace vitrine {

namespace {

/// P ‖pos_i − pos_j‖ for a difference of rows and columns.      (2 g_h − 1, 2 g_w − 1)
class Distances {
public:
    explicit Distances(const Config& c) : height_(c.grid_height()), width_(c.grid_width()) {
        for (int dy = 1 - height_; dy < height_; ++dy)
            for (int dx = 1 - width_; dx < width_; ++dx)
                table_.push_back(static_cast<float>(c.patch_size * std::hypot(dy, dx)));
    }

    /// Σ_j weights_j · distance(i, j) over the patches.
    double along(int patch, const float* weights) const {
        const int y = patch / width_, x = patch % width_;
        double sum = 0.0;
        for (int row = 0; row < height_; ++row) {
            const float* const d =
                &table_[static_cast<std::size_t>((row - y + height_ - 1) * (2 * width_ - 1) - x + width_ - 1)];
            const float* const w = weights + row * width_;
            float part = 0.0F;
#pragma omp simd reduction(+ : part)
            for (int column = 0; column < width_; ++column) part += w[column] * d[column];
            sum += static_cast<double>(part);
        }
        return sum;
    }

private:
    int height_, width_;
    std::vector<float> table_;
};

Tensor2 table_for(const Trace& trace) {
    return tensor2(static_cast<std::size_t>(trace.blocks()), trace.block(1)->attention.shape()[0]);
}

}  // namespace

HeadStatistics head_statistics(const Trace& trace, const Config& c, const Progress& progress) {
    HeadStatistics s{table_for(trace), table_for(trace), table_for(trace), table_for(trace), table_for(trace)};
    const Distances distances(c);
    const int heads = static_cast<int>(s.entropy.shape()[1]), tokens = c.tokens();
    for (std::size_t l = 0; l < s.entropy.shape()[0]; ++l) {
        report(progress, static_cast<double>(l) / trace.blocks());
        const auto block = trace.block(static_cast<int>(l) + 1);
#pragma omp parallel for schedule(static)
        for (int head = 0; head < heads; ++head) {
            double nats = 0, effective = 0, pixels = 0, largest = 0, to_class = 0;
            for (int i = 0; i < tokens; ++i) {
                const std::span<const float> row = attention_row(*block, head, i);
                const auto h = static_cast<double>(entropy(row));
                nats += h;
                effective += std::exp(h);
                largest += static_cast<double>(*std::max_element(row.begin(), row.end()));
                for (int j = 0; j < c.extra_tokens(); ++j)
                    to_class += static_cast<double>(row[static_cast<std::size_t>(j)]);
                if (c.is_patch(i)) pixels += distances.along(c.patch_of(i), c.patches_of(row).data());
            }
            const auto at = static_cast<std::size_t>(head);
            s.entropy(l, at) = static_cast<float>(nats / tokens);
            s.effective_tokens(l, at) = static_cast<float>(effective / tokens);
            s.distance(l, at) = static_cast<float>(pixels / c.patches());
            s.confidence(l, at) = static_cast<float>(largest / tokens);
            s.class_share(l, at) = static_cast<float>(to_class / tokens);
        }
    }
    return s;
}

Tensor2 attention_share(const Trace& trace, std::span<const float> cover) {
    Tensor2 share = table_for(trace);
    for (std::size_t l = 0; l < share.shape()[0]; ++l) {
        const auto block = trace.block(static_cast<int>(l) + 1);
        const Tensor3& a = block->attention;
        for (std::size_t head = 0; head < share.shape()[1]; ++head) {
            const std::size_t n = a.shape()[1];
            double sum = 0;
            for (std::size_t i = 0; i < n; ++i) {
                const float* const row = &a(head, i, n - cover.size());  // patches come last
                float part = 0.0F;
#pragma omp simd reduction(+ : part)
                for (std::size_t j = 0; j < cover.size(); ++j) part += row[j] * cover[j];
                sum += static_cast<double>(part);
            }
            share(l, head) = static_cast<float>(sum / static_cast<double>(n));
        }
    }
    return share;
}

}  // namespace vitrine
