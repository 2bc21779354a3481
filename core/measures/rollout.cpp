#include "core/measures/rollout.h"

#include <algorithm>

#include "core/tensor/matmul.h"
#include "core/vit/readout.h"
#include "core/vit/run_memory.h"

namespace vitrine {

namespace {

/// Ā: the heads combined into one matrix.      (h, N, N_k)  ->  (N, N_k)
Tensor2 fused(const Tensor3& attention, HeadFusion fusion) {
    const std::size_t heads = attention.shape()[0], rows = attention.shape()[1], columns = attention.shape()[2];
    std::vector<std::span<const float>> matrices;
    for (std::size_t head = 0; head < heads; ++head) matrices.push_back({&attention(head, 0, 0), rows * columns});
    const std::vector<float> one = fuse(matrices, fusion);
    Tensor2 matrix = tensor2(rows, columns);
    std::copy(one.begin(), one.end(), matrix.data());
    return matrix;
}

/// Zeroes the `count` smallest weights of a row; of equal weights, those further right.
void drop_smallest(float* row, std::size_t n, std::size_t count) {
    std::vector<std::size_t> order(n);
    for (std::size_t j = 0; j < n; ++j) order[j] = j;
    const auto middle = order.begin() + static_cast<std::ptrdiff_t>(count);
    std::nth_element(order.begin(), middle, order.end(),
                     [&](std::size_t a, std::size_t b) { return row[a] != row[b] ? row[a] < row[b] : a > b; });
    for (auto j = order.begin(); j != middle; ++j) row[*j] = 0.0F;
}

/// Drops a row's smallest weights, a share `discard`, and rescales the others to sum to `total`; false if none is left.
bool rescale(Tensor2& matrix, std::size_t row, float discard, double total) {
    const std::size_t n = matrix.shape()[1];
    const auto dropped = static_cast<std::size_t>(std::clamp(discard, 0.0F, 1.0F) * static_cast<float>(n));
    float* const weights = &matrix(row, 0);
    if (dropped > 0) drop_smallest(weights, n, std::min(dropped, n));
    double sum = 0.0;
    for (std::size_t j = 0; j < n; ++j) sum += static_cast<double>(weights[j]);
    const float factor = sum > 0.0 ? static_cast<float>(total / sum) : 0.0F;
    for (std::size_t j = 0; j < n; ++j) weights[j] *= factor;
    return sum > 0.0;
}

}  // namespace

std::vector<float> fuse(std::span<const std::span<const float>> rows, HeadFusion fusion) {
    std::vector<float> one(rows[0].begin(), rows[0].end());
    for (const std::span<const float> row : rows.subspan(1)) {
        switch (fusion) {
            case HeadFusion::mean:
                for (std::size_t i = 0; i < one.size(); ++i) one[i] += row[i];
                break;
            case HeadFusion::max:
                for (std::size_t i = 0; i < one.size(); ++i) one[i] = std::max(one[i], row[i]);
                break;
            case HeadFusion::min:
                for (std::size_t i = 0; i < one.size(); ++i) one[i] = std::min(one[i], row[i]);
                break;
        }
    }
    if (fusion == HeadFusion::mean)
        for (float& x : one) x /= static_cast<float>(rows.size());
    return one;
}

BlockRange block_range(int first, int last, int blocks) {
    BlockRange range;
    range.last = last < 1 ? blocks : std::min(last, blocks);
    range.first = std::clamp(first, 1, range.last);
    return range;
}

Tensor2 rollout_step(const BlockTrace& block, const RolloutOptions& o) {
    const float residual = std::clamp(o.residual, 0.0F, 1.0F);
    Tensor2 step = fused(block.attention, o.fusion);
    for (std::size_t i = 0; i < step.shape()[0]; ++i) {
        const bool any = rescale(step, i, o.discard, 1.0 - static_cast<double>(residual));
        step(i, i) += any ? residual : 1.0F;
    }
    return step;
}

std::vector<Tensor2> rollout_by_block(const Trace& trace, const RolloutOptions& options, const Progress& progress) {
    const BlockRange range = block_range(options.first_block, options.last_block, trace.blocks());
    const RoomBesideBlocks room(trace, {.matrices = range.last - range.first + 3}, "rollout");
    std::vector<Tensor2> rollouts;
    for (int block = range.first; block <= range.last; ++block) {
        report(progress, static_cast<double>(block - range.first) / (range.last - range.first + 1));
        Tensor2 step = rollout_step(*trace.block(block), options);
        if (rollouts.empty()) {
            rollouts.push_back(std::move(step));
            continue;
        }
        const std::size_t n = step.shape()[0];
        Tensor2 product = tensor2(n, n);
        multiply({.a = {step.data(), n, n, n}, .b = {rollouts.back().data(), n, n, n}}, product.data());
        rollouts.push_back(std::move(product));
    }
    return rollouts;
}

std::vector<float> rollout_of_readout(const Config& c, const HeadTrace& head, const Tensor2& rollout,
                                      const RolloutOptions& o) {
    if (!c.pools()) return weighed_rows(readout_shares(c, head), rollout);
    Tensor2 query = fused(head.pooling.attention, o.fusion);
    std::vector<float> shares(static_cast<std::size_t>(c.tokens()), 0.0F);
    if (rescale(query, 0, o.discard, 1.0))
        std::copy_n(query.data(), query.size(), shares.begin() + c.token_of(0));
    else  // all weights are dropped: the patches share equally
        std::fill(shares.begin() + c.token_of(0), shares.end(), 1.0F / static_cast<float>(c.patches()));
    return weighed_rows(shares, rollout);
}

Tensor2 attention_rollout(const Trace& trace, const RolloutOptions& options) {
    return std::move(rollout_by_block(trace, options).back());
}

}  // namespace vitrine
