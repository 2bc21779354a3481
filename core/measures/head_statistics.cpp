#include "core/measures/head_statistics.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <numeric>

#include "core/base/team.h"
#include "core/tensor/entropy.h"
#include "core/vit/model.h"
#include "core/vit/trace.h"

namespace vitrine {

namespace {

/// Table of distances P ‖pos_i − pos_j‖ by difference in row and column.      (2 g_h − 1, 2 g_w − 1)
class Distances {
public:
    explicit Distances(const Config& c) : height_(c.grid_height()), width_(c.grid_width()) {
        for (int dy = 1 - height_; dy < height_; ++dy)
            for (int dx = 1 - width_; dx < width_; ++dx)
                table_.push_back(static_cast<float>(c.patch_size * std::hypot(dy, dx)));
    }

    /// Σ_j weights_j · distance(patch, j) over all patches j.
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

using Value = std::optional<double>;

constexpr std::array table = {
    // H = −Σ_j A_ij ln A_ij, 0 … ln N
    HeadStatistic{.name = "entropy",
                  .words = "entropy in nats, mean over queries",
                  .of = [](const AttentionRow& row) -> Value { return row.entropy; },
                  .most = [](const Config& c) { return std::log(static_cast<double>(c.tokens())); }},
    // e^H: the number of equally weighted tokens with the same entropy, 1 … N
    HeadStatistic{.name = "effective_tokens",
                  .words = "e to the entropy, mean over queries",
                  .of = [](const AttentionRow& row) -> Value { return std::exp(row.entropy); },
                  .most = [](const Config& c) { return static_cast<double>(c.tokens()); }},
    // Over patch queries and patch keys (ViT paper, Fig. 7 and 11).
    HeadStatistic{.name = "distance",
                  .words = "mean attention distance in pixels",
                  .of = [](const AttentionRow& row) -> Value { return row.distance; },
                  .most = [](const Config& c) { return std::hypot(c.image_width, c.image_height); }},
    // max_j A_ij (Voita et al. 2019)
    HeadStatistic{.name = "confidence",
                  .words = "largest weight, mean over queries",
                  .of = [](const AttentionRow& row) -> Value {
                      return static_cast<double>(*std::ranges::max_element(row.weights));
                  },
                  .most = [](const Config&) { return 1.0; }},
    // A_i0: the weight on the class token, 0 if the model has none
    HeadStatistic{
        .name = "class_share",
        .words = "weight on the class token, mean over queries",
        .of = [](const AttentionRow& row) -> Value { return row.class_token ? row.on(*row.class_token) : 0.0; },
        .most = [](const Config&) { return 1.0; },
        .of_class_token = true},
};

/// Mean over the queries for which a statistic is defined.
struct Mean {
    double sum = 0;
    int count = 0;
    void add(const Value& value) {
        if (value) sum += *value, ++count;
    }
    double value() const { return count > 0 ? sum / count : 0; }
};

/// The rows of a head, each restricted to the keys that its query may see.
class RowsOfHead {
public:
    RowsOfHead(const StackAttention& of, const AttentionTrace& t, std::size_t head) : of_(of), t_(t), head_(head) {
        if (of.visible == Visible::unmasked) return;
        keys_.resize(t.attention.shape()[2]);
        std::iota(keys_.begin(), keys_.end(), 0);
    }

    int queries() const { return static_cast<int>(t_.attention.shape()[1]); }

    /// Calls f(row) for each query that may see a key.
    template <class F>
    void each(F f) {
        for (int query = 0; query < queries(); ++query) {
            const std::span<const float> weights = visible(query);
            if (!weights.empty()) f(row_of(query, weights));
        }
    }
    /// Calls f(row) for each query that may see a key, with uniform weights.
    template <class F>
    void each_uniform(F f) {
        for (int query = 0; query < queries(); ++query) {
            const std::size_t seen = visible(query).size();
            const std::vector<float> even(seen, 1.0F / static_cast<float>(seen));
            if (seen > 0) f(row_of(query, even));
        }
    }

private:
    std::span<const float> visible(int query) {
        const auto i = static_cast<std::size_t>(query);
        const std::span<const float> all = attention_row(t_.attention, head_, i);
        if (of_.visible == Visible::every_key) return all;
        weights_.clear();
        keys_.clear();
        for (std::size_t key = 0; key < all.size(); ++key) {
            if (std::isinf(t_.scores(head_, i, key))) continue;
            weights_.push_back(all[key]);
            keys_.push_back(static_cast<int>(key));
        }
        return weights_;
    }
    AttentionRow row_of(int query, std::span<const float> weights) const {
        AttentionRow row{.query = query, .weights = weights, .keys = keys_};
        row.entropy = static_cast<double>(entropy(weights));
        if (of_.describe) of_.describe(row);
        return row;
    }

    const StackAttention& of_;
    const AttentionTrace& t_;
    std::size_t head_;
    std::vector<float> weights_;
    std::vector<int> keys_;
};

}  // namespace

double AttentionRow::on(int place) const {
    const auto at = std::ranges::lower_bound(keys, place);
    return at == keys.end() || *at != place ? 0.0
                                            : static_cast<double>(weights[static_cast<std::size_t>(at - keys.begin())]);
}

const HeadStatistic* statistic_named(std::span<const HeadStatistic> rows, std::string_view name) {
    const auto row = std::ranges::find_if(rows, [&](const HeadStatistic& s) { return name == s.name; });
    return row == rows.end() ? nullptr : &*row;
}

const HeadStatistics::Column* HeadStatistics::column(std::string_view name) const {
    const auto at = std::ranges::find_if(columns, [&](const Column& c) { return name == c.statistic->name; });
    return at == columns.end() ? nullptr : &*at;
}

const Tensor2& HeadStatistics::of(std::string_view name) const {
    const Column* const found = column(name);
    assert(found != nullptr);
    return found->values;
}

HeadStatistics head_statistics(std::span<const HeadStatistic> rows, const StackAttention& of,
                               const Progress& progress) {
    HeadStatistics s;
    if (of.blocks == 0) return s;
    const auto first = of.at(1);
    const std::size_t heads = first->attention.shape()[0];
    for (const HeadStatistic& statistic : rows) {
        Mean even;
        RowsOfHead(of, *first, 0).each_uniform([&](const AttentionRow& row) { even.add(statistic.of(row)); });
        if (even.count > 0)
            s.columns.push_back(
                {&statistic, tensor2(static_cast<std::size_t>(of.blocks), heads), even.value(), even.count});
    }
    for (int block = 1; block <= of.blocks; ++block) {
        report(progress, static_cast<double>(block - 1) / of.blocks);
        const auto own = of.at(block);
        parallel_for(heads, [&](std::size_t head) {
            std::vector<Mean> means(s.columns.size());
            RowsOfHead(of, *own, head).each([&](const AttentionRow& row) {
                for (std::size_t k = 0; k < means.size(); ++k) means[k].add(s.columns[k].statistic->of(row));
            });
            for (std::size_t k = 0; k < means.size(); ++k)
                s.columns[k].values(static_cast<std::size_t>(block - 1), head) = static_cast<float>(means[k].value());
        });
    }
    return s;
}

std::span<const HeadStatistic> head_statistics_table() { return table; }

bool says_something(const HeadStatistic& statistic, const Config& c) {
    return !statistic.of_class_token || c.first_of(TokenKind::class_token);
}

const HeadStatistic* head_statistic_named(std::string_view name) { return statistic_named(table, name); }

HeadStatistics head_statistics(const Trace& trace, const Config& c, const Progress& progress) {
    const Distances distances(c);
    const std::optional<int> class_token = c.first_of(TokenKind::class_token);
    return head_statistics(table,
                           {.blocks = trace.blocks(),
                            .at = [&](int block) { return trace.block(block); },
                            .describe =
                                [&](AttentionRow& row) {
                                    row.class_token = class_token;
                                    if (c.is_patch(row.query))
                                        row.distance =
                                            distances.along(c.patch_of(row.query), c.patches_of(row.weights).data());
                                }},
                           progress);
}

Tensor2 attention_share(const Trace& trace, std::span<const float> cover) {
    Tensor2 share = tensor2(static_cast<std::size_t>(trace.blocks()), trace.block(1)->attention.shape()[0]);
    for (std::size_t l = 0; l < share.shape()[0]; ++l) {
        const auto block = trace.block(static_cast<int>(l) + 1);
        const Tensor3& a = block->attention;
        for (std::size_t head = 0; head < share.shape()[1]; ++head) {
            const std::size_t n = a.shape()[1];
            double sum = 0;
            for (std::size_t i = 0; i < n; ++i) {
                const float* const row = &a(head, i, n - cover.size());  // patches are the last tokens
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
