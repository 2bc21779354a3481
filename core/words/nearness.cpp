#include "core/words/nearness.h"

#include <algorithm>

#include "core/tensor/ops.h"
#include "core/vit/model.h"
#include "core/vit/pooling.h"
#include "core/vit/trace.h"
#include "core/words/contrast.h"
#include "core/words/text_tower.h"

namespace vitrine {

namespace {

/// The features of each patch of an image in the space that both towers share. (N_p, features)
Tensor2 features_of_patches(const Model& model, const Trace& trace) {
    const Config& c = model.config;
    const Tensor2& z = trace.z(c.blocks);
    Tensor2 patches = tensor2(static_cast<std::size_t>(c.patches()), z.shape()[1]);
    std::copy_n(&z(static_cast<std::size_t>(c.token_of(0)), 0), patches.size(), patches.data());
    const Tensor2 normed = layer_norm(model.weights.norm, patches, c.layer_norm_epsilon).out;
    const Tensor2 read = c.pools() ? pooled_alone(model, normed) : normed;
    return c.features > 0 ? linear(model.weights.feature_projection, read) : read;
}

}  // namespace

const Tensor2& features_of_image(const Model& model, const HeadTrace& head) {
    return model.config.features > 0 ? head.features : head.ln;
}

Nearness nearness_of(const Model& model, const Trace& trace, const TextTower& tower, const Tensor2& features) {
    const Tensor2 cosines = cosines_between(features_of_image(model, *trace.head), features);
    const LogitScale scale = scale_of(tower);
    Nearness n;
    n.cosine.assign(cosines.begin(), cosines.end());
    n.logit = logits_of(n.cosine, scale);
    n.probability = probabilities_of(n.logit, scale);
    n.patches = cosines_between(features, features_of_patches(model, trace));
    return n;
}

}  // namespace vitrine
