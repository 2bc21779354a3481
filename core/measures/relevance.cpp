#include "core/measures/relevance.h"

#include <algorithm>

#include "core/measures/rollout.h"
#include "core/tensor/matmul.h"
#include "core/vit/backward.h"
#include "core/vit/head.h"
#include "core/vit/readout.h"
#include "core/vit/run_memory.h"

namespace vitrine {

namespace {

/// mean over heads of (∇A ⊙ A)⁺      (h, N, N_k), (h, N, N_k)  ->  (N, N_k)
Tensor2 weighted_by_gradient(const Tensor3& attention, const Tensor3& gradient) {
    const std::size_t heads = attention.shape()[0], size = attention.shape()[1] * attention.shape()[2];
    Tensor2 mean = tensor2(attention.shape()[1], attention.shape()[2]);
    std::fill(mean.begin(), mean.end(), 0.0F);
    const float share = 1.0F / static_cast<float>(heads);
    for (std::size_t head = 0; head < heads; ++head) {
        const float* const a = attention.data() + head * size;
        const float* const g = gradient.data() + head * size;
        float* const out = mean.data();
        for (std::size_t i = 0; i < size; ++i) out[i] += share * std::max(0.0F, a[i] * g[i]);
    }
    return mean;
}

/// The target's direction in logit space: +1 for its class, −1 for the class it is compared with.      (1, classes)
Tensor2 direction_of(const RelevanceOf& of) {
    Tensor2 target = tensor2(1, static_cast<std::size_t>(of.model.config.classes));
    std::fill(target.begin(), target.end(), 0.0F);
    target(0, static_cast<std::size_t>(of.target.index)) += 1.0F;
    if (of.target.against) target(0, static_cast<std::size_t>(*of.target.against)) -= 1.0F;
    return target;
}

}  // namespace

std::vector<Tensor2> relevance_by_block(const RelevanceOf& of, const Progress& progress) {
    const Config& c = of.model.config;
    const std::size_t n = static_cast<std::size_t>(c.tokens());
    const BlockRange range = block_range(of.first_block, of.last_block, c.blocks);
    // The gradients of a block and of its softmax, and a matrix for each block and step.
    const RoomBesideBlocks room(of.trace, {1, c.heads + range.last - range.first + 3}, "relevance");
    const std::size_t count = static_cast<std::size_t>(range.last - range.first + 1);
    std::vector<Tensor2> after(count);  // first Â of each block, then R after it, in place
    constexpr double share_of_gradients = 0.8;
    const int passed = c.blocks - range.first + 1;
    report(progress, 0);
    backward_through_blocks({of.model, of.trace, of.what_ifs}, direction_of(of), range.first,
                            [&](int block, const BlockTrace& gradients) {
                                report(progress, share_of_gradients * (c.blocks - block + 1) / passed);
                                if (block > range.last) return;
                                const auto own = of.trace.block(block);
                                after[static_cast<std::size_t>(block - range.first)] =
                                    weighted_by_gradient(own->attention, gradients.attention);
                            });

    // R ← R + Â R; for R = I the first step gives I + Â.
    for (std::size_t i = 0; i < n; ++i) after[0](i, i) += 1.0F;
    for (std::size_t k = 1; k < count; ++k) {
        const double done = static_cast<double>(k) / static_cast<double>(count);
        report(progress, share_of_gradients + (1 - share_of_gradients) * done);
        Tensor2 relevance = after[k - 1];
        multiply({.a = {after[k].data(), n, n, n}, .b = {after[k - 1].data(), n, n, n}, .into = Product::Into::sum},
                 relevance.data());
        after[k] = std::move(relevance);
    }
    return after;
}

std::vector<float> relevance_of_readout(const RelevanceOf& of, const Tensor2& relevance) {
    const Config& c = of.model.config;
    if (!c.pools()) return weighed_rows(readout_shares(c, *of.trace.head), relevance);
    HeadTrace gradients;
    gradients.logits = direction_of(of);
    FlatWeights unwanted(c, FlatWeights::Room::nothing);
    classify_back_to_tokens({of.model, of.trace.z(c.blocks), *of.trace.head, unwanted}, gradients);
    const Tensor2 query = weighted_by_gradient(of.trace.head->pooling.attention, gradients.pooling.attention);
    std::vector<float> shares(static_cast<std::size_t>(c.tokens()), 0.0F);
    std::copy_n(query.data(), query.size(), shares.begin() + c.token_of(0));
    return weighed_rows(shares, relevance);
}

}  // namespace vitrine
