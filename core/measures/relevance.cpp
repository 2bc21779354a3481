#include "core/measures/relevance.h"

#include <algorithm>

#include "core/backward.h"
#include "core/matmul.h"
#include "core/measures/rollout.h"

namespace vitrine {

namespace {

/// mean over heads of (∇A ⊙ A)⁺      (h, N, N), (h, N, N)  ->  (N, N)
Tensor2 weighted_by_gradient(const Tensor3& attention, const Tensor3& gradient) {
    const std::size_t heads = attention.shape()[0], n = attention.shape()[1];
    Tensor2 mean = tensor2(n, n);
    std::fill(mean.begin(), mean.end(), 0.0F);
    const float share = 1.0F / static_cast<float>(heads);
    for (std::size_t head = 0; head < heads; ++head) {
        const float* const a = attention.data() + head * n * n;
        const float* const g = gradient.data() + head * n * n;
        float* const out = mean.data();
        for (std::size_t i = 0; i < n * n; ++i) out[i] += share * std::max(0.0F, a[i] * g[i]);
    }
    return mean;
}

}  // namespace

std::vector<Tensor2> relevance_by_block(const RelevanceOf& of, const Progress& progress) {
    const Config& c = of.model.config;
    const std::size_t n = static_cast<std::size_t>(c.tokens());
    Tensor2 target = tensor2(1, static_cast<std::size_t>(c.classes));
    std::fill(target.begin(), target.end(), 0.0F);
    target(0, static_cast<std::size_t>(of.target.index)) += 1.0F;
    if (of.target.against) target(0, static_cast<std::size_t>(*of.target.against)) -= 1.0F;

    report(progress, 0);
    FlatWeights unwanted(c, FlatWeights::Room::nothing);
    const Trace gradients = backward({of.model, of.trace, of.what_ifs, Keep::activations}, target, unwanted);
    report(progress, 0.7);

    const BlockRange range = block_range(of.first_block, of.last_block, c.blocks);
    Tensor2 relevance = tensor2(n, n);
    std::fill(relevance.begin(), relevance.end(), 0.0F);
    for (std::size_t i = 0; i < n; ++i) relevance(i, i) = 1.0F;
    std::vector<Tensor2> after;
    for (int block = range.first; block <= range.last; ++block) {
        report(progress, 0.7 + 0.3 * (block - range.first) / (range.last - range.first + 1));
        const Tensor2 step = weighted_by_gradient(of.trace.block(block)->attention, gradients.block(block)->attention);
        const Tensor2 before = relevance;
        multiply({.a = {step.data(), n, n, n}, .b = {before.data(), n, n, n}, .into = Product::Into::sum},
                 relevance.data());
        after.push_back(relevance);
    }
    return after;
}

}  // namespace vitrine
