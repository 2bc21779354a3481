#include "core/measures/lens.h"

#include <algorithm>
#include <memory>

#include "core/tensor/ops.h"
#include "core/vit/head.h"
#include "core/vit/pooling.h"
#include "core/vit/readout.h"

namespace vitrine {

namespace {

Tensor2 classified(const Model& model, const LinearWeights& classifier, const Tensor2& tokens) {
    const Tensor2 normed = layer_norm(model.weights.norm, tokens, model.config.layer_norm_epsilon).out;
    return linear(classifier, model.config.pools() ? pooled_alone(model, normed) : normed);
}

/// The classifier as applied to one token in place of all that the classification head reads. If the head reads two
/// vectors: the sum of the classifier's two halves, or the mean of both classifiers.
LinearWeights classifier_of_one(const Model& model) {
    const Config& c = model.config;
    const LinearWeights &own = model.weights.classifier, &second = model.weights.distillation_classifier;
    if (!c.reads_two()) return own;
    const std::size_t classes = own.weight.shape()[0], d = static_cast<std::size_t>(c.embedding_dim);
    const bool distilled = c.readout == Readout::class_and_distillation;
    const std::shared_ptr<float[]> weight(new float[classes * d]), bias(new float[classes]);
    for (std::size_t k = 0; k < classes; ++k) {
        for (std::size_t i = 0; i < d; ++i)
            weight[k * d + i] =
                distilled ? (own.weight(k, i) + second.weight(k, i)) / 2 : own.weight(k, i) + own.weight(k, d + i);
        bias[k] = distilled ? (own.bias(k) + second.bias(k)) / 2 : own.bias(k);
    }
    return {{std::shared_ptr<const float>(weight, weight.get()), {classes, d}},
            {std::shared_ptr<const float>(bias, bias.get()), {classes}},
            {}};
}

}  // namespace

Tensor2 logit_lens(const Model& model, const Trace& trace) {
    const std::size_t levels = static_cast<std::size_t>(trace.blocks()) + 1, features = trace.embedding->z.shape()[1];
    if (model.config.norms_tokens()) {
        Tensor2 logits = tensor2(levels, static_cast<std::size_t>(model.config.classes));
        for (std::size_t l = 0; l < levels; ++l) {
            const Tensor2 own = classify(model, trace.z(static_cast<int>(l))).logits;
            std::copy_n(own.data(), own.size(), &logits(l, 0));
        }
        return logits;
    }
    Tensor2 tokens = tensor2(levels, features);
    for (std::size_t l = 0; l < levels; ++l)
        std::copy_n(read_out(model.config, trace.z(static_cast<int>(l))).data(), features, &tokens(l, 0));
    return classified(model, model.weights.classifier, tokens);
}

TokenLens token_lens(const Model& model, const Trace& trace, int chosen, const Progress& progress) {
    const std::size_t levels = static_cast<std::size_t>(trace.blocks()) + 1, n = trace.embedding->z.shape()[0];
    TokenLens lens{tensor2(levels, n), tensor2(levels, n), tensor2(levels, n), {}};
    const LinearWeights classifier = classifier_of_one(model);
    for (std::size_t l = 0; l < levels; ++l) {
        report(progress, static_cast<double>(l) / static_cast<double>(levels));
        const Tensor2 logits = classified(model, classifier, trace.z(static_cast<int>(l))),
                      probabilities = softmax(logits);
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
