#include "core/measures/head_statistics.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <optional>
#include <vector>

#include "core/base/team.h"
#include "core/measures/analysis.h"
#include "core/tensor/entropy.h"

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

constexpr std::array table = {
    // H = −Σ_j A_ij ln A_ij, 0 … ln N
    HeadStatistic{.name = "entropy",
                  .words = "entropy in nats, mean over queries",
                  .of = [](const AttentionRow& row) { return row.entropy; },
                  .most = [](const Config& c) { return std::log(static_cast<double>(c.tokens())); }},
    // e^H: so many tokens looked at evenly would be as spread, 1 … N
    HeadStatistic{.name = "effective_tokens",
                  .words = "e to the entropy, mean over queries",
                  .of = [](const AttentionRow& row) { return std::exp(row.entropy); },
                  .most = [](const Config& c) { return static_cast<double>(c.tokens()); }},
    // Over patch queries and patch keys (ViT paper, Fig. 7 and 11).
    HeadStatistic{.name = "distance",
                  .words = "mean attention distance in pixels",
                  .of = [](const AttentionRow& row) { return row.distance; },
                  .most = [](const Config& c) { return std::hypot(c.image_width, c.image_height); },
                  .patch_queries = true},
    // max_j A_ij (Voita et al. 2019)
    HeadStatistic{
        .name = "confidence",
        .words = "largest weight, mean over queries",
        .of = [](const AttentionRow& row) { return static_cast<double>(*std::ranges::max_element(row.weights)); },
        .most = [](const Config&) { return 1.0; }},
    // A_i0: what goes to the class token
    HeadStatistic{.name = "class_share",
                  .words = "weight on the class token, mean over queries",
                  .of = [](const AttentionRow& row) { return static_cast<double>(row.to_class); },
                  .most = [](const Config&) { return 1.0; }},
};

/// The sums of all statistics over the rows of a head.
std::array<double, table.size()> sums_of(const BlockTrace& block, int head, const Config& c,
                                         const Distances& distances) {
    std::array<double, table.size()> sums{};
    const std::optional<int> class_token = c.first_of(TokenKind::class_token);
    for (int i = 0; i < c.tokens(); ++i) {
        AttentionRow row{i, attention_row(block, head, i)};
        row.entropy = static_cast<double>(entropy(row.weights));
        if (class_token) row.to_class = row.weights[static_cast<std::size_t>(*class_token)];
        if (c.is_patch(i)) row.distance = distances.along(c.patch_of(i), c.patches_of(row.weights).data());
        for (std::size_t k = 0; k < table.size(); ++k)
            if (c.is_patch(i) || !table[k].patch_queries) sums[k] += table[k].of(row);
    }
    return sums;
}

}  // namespace

std::span<const HeadStatistic> head_statistics_table() { return table; }

const HeadStatistic* head_statistic_named(std::string_view name) {
    const auto row = std::find_if(table.begin(), table.end(), [&](const HeadStatistic& s) { return name == s.name; });
    return row == table.end() ? nullptr : &*row;
}

const Tensor2& HeadStatistics::of(std::string_view name) const {
    const HeadStatistic* const row = head_statistic_named(name);
    assert(row != nullptr);
    return values[static_cast<std::size_t>(row - table.data())];
}

HeadStatistics head_statistics(const Trace& trace, const Config& c, const Progress& progress) {
    HeadStatistics s;
    for (std::size_t k = 0; k < table.size(); ++k) s.values.push_back(table_for(trace));
    const Distances distances(c);
    const std::size_t heads = s.values[0].shape()[1];
    for (int block = 1; block <= trace.blocks(); ++block) {
        report(progress, static_cast<double>(block - 1) / trace.blocks());
        const auto own = trace.block(block);
        parallel_for(heads, [&](std::size_t head) {
            const auto sums = sums_of(*own, static_cast<int>(head), c, distances);
            for (std::size_t k = 0; k < table.size(); ++k) {
                const int queries = table[k].patch_queries ? c.patches() : c.tokens();
                s.values[k](static_cast<std::size_t>(block - 1), head) = static_cast<float>(sums[k] / queries);
            }
        });
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
