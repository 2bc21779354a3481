#include "core/measures/lens.h"

#include <algorithm>

#include "core/tensor/ops.h"
#include "core/vit/readout.h"

namespace vitrine {

namespace {

Tensor2 classified(const Model& model, const Tensor2& tokens) {
    return linear(model.weights.classifier,
                  layer_norm(model.weights.norm, tokens, model.config.layer_norm_epsilon).out);
}

}  // namespace

Tensor2 logit_lens(const Model& model, const Trace& trace) {
    const std::size_t levels = static_cast<std::size_t>(trace.blocks()) + 1, features = trace.embedding->z.shape()[1];
    Tensor2 tokens = tensor2(levels, features);
    for (std::size_t l = 0; l < levels; ++l)
        std::copy_n(read_out(model.config, trace.z(static_cast<int>(l))).data(), features, &tokens(l, 0));
    return classified(model, tokens);
}

TokenLens token_lens(const Model& model, const Trace& trace, int chosen, const Progress& progress) {
    const std::size_t levels = static_cast<std::size_t>(trace.blocks()) + 1, n = trace.embedding->z.shape()[0];
    TokenLens lens{tensor2(levels, n), tensor2(levels, n), tensor2(levels, n), {}};
    for (std::size_t l = 0; l < levels; ++l) {
        report(progress, static_cast<double>(l) / static_cast<double>(levels));
        const Tensor2 logits = classified(model, trace.z(static_cast<int>(l))), probabilities = softmax(logits);
        const std::size_t classes = logits.shape()[1], c = static_cast<std::size_t>(chosen);
        std::vector<int>& best = lens.best.emplace_back();
        for (std::size_t i = 0; i < n; ++i) {
            lens.logit(l, i) = logits(i, c);
            lens.probability(l, i) = probabilities(i, c);
            const float* const row = &probabilities(i, 0);
            best.push_back(static_cast<int>(std::max_element(row, row + classes) - row));
            lens.best_probability(l, i) = row[best.back()];
        }
    }
    return lens;
}

std::vector<int> rank_through_depth(const Tensor2& lens, int chosen) {
    std::vector<int> ranks;
    for (std::size_t l = 0; l < lens.shape()[0]; ++l) {
        const float* const row = &lens(l, 0);
        const float own = row[chosen];
        ranks.push_back(1 +
                        static_cast<int>(std::count_if(row, row + lens.shape()[1], [&](float x) { return x > own; })));
    }
    return ranks;
}

}  // namespace vitrine
