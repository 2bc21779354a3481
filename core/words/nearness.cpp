#include "core/words/nearness.h"

#include <algorithm>
#include <cmath>

#include "core/tensor/ops.h"
#include "core/vit/model.h"
#include "core/vit/pooling.h"
#include "core/vit/trace.h"
#include "core/words/text_tower.h"

namespace vitrine {

namespace {

/// x · y / (|x| |y|) of a row of each; 0 if one of them is 0.
float cosine_of(const Tensor2& a, std::size_t row_of_a, const Tensor2& b, std::size_t row_of_b) {
    double product = 0, length_a = 0, length_b = 0;
    for (std::size_t i = 0; i < a.shape()[1]; ++i) {
        const auto x = static_cast<double>(a(row_of_a, i)), y = static_cast<double>(b(row_of_b, i));
        product += x * y;
        length_a += x * x;
        length_b += y * y;
    }
    const double lengths = std::sqrt(length_a) * std::sqrt(length_b);
    return lengths > 0 ? static_cast<float>(product / lengths) : 0.0F;
}

/// The vector of each patch of a run of one image in the shared space.      (N_p, features)
Tensor2 features_of_patches(const Model& model, const Trace& trace) {
    const Config& c = model.config;
    const Tensor2& z = trace.z(c.blocks);
    Tensor2 patches = tensor2(static_cast<std::size_t>(c.patches()), z.shape()[1]);
    std::copy_n(&z(static_cast<std::size_t>(c.token_of(0)), 0), patches.size(), patches.data());
    const Tensor2 normed = layer_norm(model.weights.norm, patches, c.layer_norm_epsilon).out;
    const Tensor2 read = c.pools() ? pooled_alone(model, normed) : normed;
    return c.features > 0 ? linear(model.weights.feature_projection, read) : read;
}

std::vector<float> probabilities_of(const TextTower& tower, const std::vector<float>& logits) {
    std::vector<float> p(logits.size());
    if (tower.bias) {
        std::ranges::transform(logits, p.begin(), [](float x) { return 1 / (1 + std::exp(-x)); });
        return p;
    }
    Tensor2 row = tensor2(1, logits.size());
    std::ranges::copy(logits, row.data());
    std::ranges::copy_n(softmax(row).data(), static_cast<std::ptrdiff_t>(p.size()), p.begin());
    return p;
}

}  // namespace

Nearness nearness_of(const Model& model, const Trace& trace, const TextTower& tower, const Tensor2& features) {
    const HeadTrace& head = *trace.head;
    const Tensor2& image = model.config.features > 0 ? head.features : head.ln;
    const Tensor2 patches = features_of_patches(model, trace);
    const std::size_t texts = features.shape()[0], count = patches.shape()[0];
    Nearness n;
    n.patches = tensor2(texts, count);
    for (std::size_t text = 0; text < texts; ++text) {
        n.cosine.push_back(cosine_of(image, 0, features, text));
        n.logit.push_back(n.cosine.back() * tower.scale + tower.bias.value_or(0.0F));
        for (std::size_t patch = 0; patch < count; ++patch)
            n.patches(text, patch) = cosine_of(patches, patch, features, text);
    }
    n.probability = probabilities_of(tower, n.logit);
    return n;
}

}  // namespace vitrine
