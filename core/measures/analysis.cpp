#include "core/measures/analysis.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/tensor/matmul.h"
#include "core/tensor/rows.h"

namespace vitrine {

std::vector<Prediction> top_predictions(const HeadTrace& head, int count) {
    std::vector<int> order(head.logits.size());
    std::iota(order.begin(), order.end(), 0);
    const std::size_t kept = std::min(order.size(), static_cast<std::size_t>(std::max(0, count)));
    const auto better = [&](int a, int b) {
        const float x = head.logits(0, static_cast<std::size_t>(a)), y = head.logits(0, static_cast<std::size_t>(b));
        if (std::isnan(x) || std::isnan(y)) return std::isnan(x) == std::isnan(y) ? a < b : std::isnan(y);
        return x != y ? x > y : a < b;
    };
    std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(kept), order.end(), better);

    std::vector<Prediction> top;
    for (std::size_t i = 0; i < kept; ++i) top.push_back(prediction_of(head, order[i]));
    return top;
}

Prediction prediction_of(const HeadTrace& head, int index) {
    const auto i = static_cast<std::size_t>(index);
    return {index, head.logits(0, i), head.probabilities(0, i)};
}

std::vector<PredictionChange> top_changes(const HeadTrace& now, const HeadTrace& before, int count) {
    std::vector<PredictionChange> changes;
    for (const Prediction& p : top_predictions(now, count))
        changes.push_back({p, prediction_of(before, p.index).probability});
    if (changes.empty()) return changes;
    const int best_before = top_predictions(before, 1).front().index;
    const auto is_it = [&](const PredictionChange& c) { return c.now.index == best_before; };
    if (std::none_of(changes.begin(), changes.end(), is_it))
        changes.back() = {prediction_of(now, best_before), prediction_of(before, best_before).probability};
    return changes;
}

float asymmetry(const BlockTrace& block, int head) {
    constexpr std::size_t side = 32;  // tile by tile, so that a tile and its mirror image stay in the cache
    const std::size_t n = block.scores.shape()[1], d = block.q.shape()[2];
    const float* const scores = block.scores.data() + static_cast<std::size_t>(head) * n * n;
    float most = 0.0F;
    for (std::size_t top = 0; top < n; top += side)
        for (std::size_t left = 0; left <= top; left += side)
            for (std::size_t i = top; i < std::min(n, top + side); ++i)
                for (std::size_t j = left; j < std::min(i, left + side); ++j)
                    most = std::max(most, std::fabs(scores[i * n + j] - scores[j * n + i]));
    // A product sums d terms in any order, so each score is off by up to d/2 units in the last place of the largest
    // possible score: ‖q‖ ‖k‖ / √d where keys are queries.
    const float rounding =
        static_cast<float>(d) * std::numeric_limits<float>::epsilon() * row_kernels().largest_magnitude(scores, n * n);
    return most > rounding ? most : 0.0F;
}

Tensor2 cosine_similarity(const float* rows, std::size_t count, std::size_t length) {
    Tensor2 unit = tensor2(count, length);
    for (std::size_t i = 0; i < count; ++i) {
        const float norm = summarise({rows + i * length, length}).norm;
        const float factor = norm > 0.0F ? 1.0F / norm : 0.0F;
        for (std::size_t j = 0; j < length; ++j) unit(i, j) = rows[i * length + j] * factor;
    }
    Tensor2 similarity = tensor2(count, count);
    const MatrixView all{unit.data(), count, length, length};
    multiply({.a = all, .b = all, .transpose_b = Transpose::yes}, similarity.data());
    return similarity;
}

double mean_pair_cosine(const Tensor2& tokens) {
    // For unit rows u, ‖Σ u‖² is the sum of the cosines of all pairs, including each row with itself.
    std::vector<double> sum(tokens.shape()[1], 0.0);
    double count = 0, all = 0;
    for (std::size_t i = 0; i < tokens.shape()[0]; ++i) {
        const float* const row = &tokens(i, 0);
        double squares = 0;
        for (std::size_t j = 0; j < sum.size(); ++j)
            squares += static_cast<double>(row[j]) * static_cast<double>(row[j]);
        if (squares == 0) continue;
        const double norm = std::sqrt(squares);
        for (std::size_t j = 0; j < sum.size(); ++j) sum[j] += static_cast<double>(row[j]) / norm;
        ++count;
    }
    for (const double x : sum) all += x * x;
    return count > 1 ? (all - count) / (count * (count - 1)) : 0;
}

Summary summarise(std::span<const float> values) {
    if (values.empty()) return {};
    double sum = 0.0, squares = 0.0;
    for (const float x : values) {
        sum += x;
        squares += static_cast<double>(x) * x;
    }
    const auto count = static_cast<double>(values.size());
    const double mean = sum / count;
    double spread = 0.0;
    for (const float x : values) spread += (x - mean) * (x - mean);
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    return {static_cast<float>(mean), static_cast<float>(std::sqrt(spread / count)), *least, *most,
            static_cast<float>(std::sqrt(squares))};
}

FilterProduct filter_product(const Tensor3& image, const LinearWeights& embedding, int patch, int feature) {
    const std::size_t channels = image.shape()[0], width = image.shape()[2];
    const std::size_t values = embedding.weight.shape()[1], k = static_cast<std::size_t>(feature);
    const auto side = static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(values / channels))));
    const std::size_t columns = width / side;
    const std::size_t top = static_cast<std::size_t>(patch) / columns * side;
    const std::size_t left = static_cast<std::size_t>(patch) % columns * side;

    FilterProduct f;
    double sum = 0.0;
    for (std::size_t c = 0; c < channels; ++c)
        for (std::size_t y = 0; y < side; ++y)
            for (std::size_t x = 0; x < side; ++x) {
                f.patch.push_back(image(c, top + y, left + x));
                f.filter.push_back(embedding.weight(k, f.filter.size()));
                f.product.push_back(f.patch.back() * f.filter.back());
                sum += f.product.back();
            }
    f.sum = static_cast<float>(sum);
    f.bias = embedding.bias.empty() ? 0.0F : embedding.bias(k);
    f.result = f.sum + f.bias;
    return f;
}

namespace {

/// Inner product in float: five digits for rows of some thousand numbers, and fast enough to measure whole traces in
/// one frame.
float dot(const float* a, const float* b, std::size_t count) { return row_kernels().dot(a, b, count); }

}  // namespace

std::vector<float> row_norms(const Tensor2& rows) {
    std::vector<float> norms;
    const std::size_t d = rows.shape()[1];
    for (std::size_t i = 0; i < rows.shape()[0]; ++i) norms.push_back(std::sqrt(dot(&rows(i, 0), &rows(i, 0), d)));
    return norms;
}

float cosine(std::span<const float> a, std::span<const float> b) {
    const float aa = dot(a.data(), a.data(), a.size()), bb = dot(b.data(), b.data(), b.size());
    return aa > 0.0F && bb > 0.0F ? dot(a.data(), b.data(), a.size()) / (std::sqrt(aa) * std::sqrt(bb)) : 0.0F;
}

std::vector<float> cosines_to(const Tensor2& rows, int row) {
    std::vector<float> cosines;
    const std::size_t d = rows.shape()[1];
    const std::span<const float> own{&rows(static_cast<std::size_t>(row), 0), d};
    for (std::size_t i = 0; i < rows.shape()[0]; ++i) cosines.push_back(cosine(own, {&rows(i, 0), d}));
    return cosines;
}

std::vector<float> row_cosines(const Tensor2& a, const Tensor2& b) {
    std::vector<float> cosines;
    const std::size_t d = a.shape()[1];
    for (std::size_t i = 0; i < a.shape()[0]; ++i) cosines.push_back(cosine({&a(i, 0), d}, {&b(i, 0), d}));
    return cosines;
}

Tensor2 head_contributions(const AttentionTrace& t, const LinearWeights& projection, int token) {
    const std::size_t heads = t.heads.shape()[0], d = t.heads.shape()[2], features = heads * d;
    Tensor2 added = tensor2(heads, features);
    const Parameter weight = projection.weight.stored();
    for (std::size_t head = 0; head < heads; ++head) {
        const MatrixView own{&t.heads(head, static_cast<std::size_t>(token), 0), 1, d, d};
        const MatrixView columns{weight.data() + head * d, features, d, features};
        multiply({.a = own, .b = columns, .transpose_b = Transpose::yes}, &added(head, 0));
    }
    return added;
}

std::vector<float> head_contribution_norms(const BlockTrace& block, const LinearWeights& projection, int head) {
    const std::size_t n = block.heads.shape()[1], d = block.heads.shape()[2], features = block.heads.shape()[0] * d;
    Tensor2 added = tensor2(n, features);
    const MatrixView own{&block.heads(static_cast<std::size_t>(head), 0, 0), n, d, d};
    const Parameter weight = projection.weight.stored();
    const MatrixView columns{weight.data() + static_cast<std::size_t>(head) * d, features, d, features};
    multiply({.a = own, .b = columns, .transpose_b = Transpose::yes}, added.data());
    return row_norms(added);
}

std::vector<float> value_weighted_norms(const BlockTrace& block, int head, int query) {
    const std::span<const float> weights = attention_row(block, head, query);
    const std::size_t d = block.v.shape()[2];
    std::vector<float> norms;
    for (std::size_t j = 0; j < weights.size(); ++j)
        norms.push_back(std::abs(weights[j]) * summarise({&block.v(static_cast<std::size_t>(head), j, 0), d}).norm);
    return norms;
}

namespace {

/// Each value's rank, 1 for the smallest; equal values share the mean of theirs.
std::vector<float> ranks_of(std::span<const float> values) {
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) { return values[i] < values[j]; });
    std::vector<float> ranks(values.size());
    for (std::size_t first = 0; first < order.size();) {
        std::size_t last = first;
        while (last < order.size() && values[order[last]] == values[order[first]]) ++last;
        for (std::size_t i = first; i < last; ++i) ranks[order[i]] = static_cast<float>(first + last + 1) / 2;
        first = last;
    }
    return ranks;
}

}  // namespace

double rank_correlation(std::span<const float> a, std::span<const float> b) {
    std::vector<float> x = ranks_of(a), y = ranks_of(b);
    const auto mean = static_cast<float>(a.size() + 1) / 2;
    for (float& rank : x) rank -= mean;
    for (float& rank : y) rank -= mean;
    return static_cast<double>(cosine(x, y));
}

std::vector<int> largest(std::span<const float> values, int count) {
    std::vector<int> order(values.size());
    std::iota(order.begin(), order.end(), 0);
    const auto kept = std::min(order.size(), static_cast<std::size_t>(std::max(0, count)));
    std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(kept), order.end(), [&](int a, int b) {
        const float x = values[static_cast<std::size_t>(a)], y = values[static_cast<std::size_t>(b)];
        return x != y ? x > y : a < b;
    });
    order.resize(kept);
    return order;
}

double cross_entropy(std::span<const float> logits, int true_class) {
    const auto largest_logit = static_cast<double>(*std::max_element(logits.begin(), logits.end()));
    double sum = 0.0;
    for (const float x : logits) sum += std::exp(static_cast<double>(x) - largest_logit);
    return std::log(sum) + largest_logit - static_cast<double>(logits[static_cast<std::size_t>(true_class)]);
}

std::vector<SkipRatio> skip_ratios(const Trace& trace) {
    const auto mean_ratio = [](const std::vector<float>& z, const std::vector<float>& branch) {
        double ratio = 0;
        for (std::size_t i = 0; i < z.size(); ++i)
            ratio += static_cast<double>(branch[i]) / std::max(1e-12, static_cast<double>(z[i]));
        return ratio / static_cast<double>(z.size());
    };
    std::vector<SkipRatio> ratios;
    std::vector<float> z = row_norms(trace.z(0));
    for (int l = 1; l <= trace.blocks(); ++l) {
        const auto block = trace.block(l);
        const std::vector<float> middle = row_norms(block->residual);
        ratios.push_back(
            {mean_ratio(z, row_norms(block->attention_branch())), mean_ratio(middle, row_norms(block->mlp_branch()))});
        z = row_norms(trace.z(l));
    }
    return ratios;
}

}  // namespace vitrine
