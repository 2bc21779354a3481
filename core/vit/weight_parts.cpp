#include "core/vit/weight_parts.h"

#include "core/vit/model.h"

namespace vitrine {

namespace {

std::size_t count_of(const LinearWeights& w) { return w.weight.size() + w.bias.size(); }
std::size_t count_of(const LayerNormWeights& w) { return w.gamma.size() + w.beta.size(); }

}  // namespace

std::array<std::size_t, std::size(weight_part_names)> weights_by_part(const Weights& weights) {
    std::array<std::size_t, std::size(weight_part_names)> counts{};
    const auto part = [&](WeightPart which) -> std::size_t& { return counts[static_cast<std::size_t>(which)]; };
    part(WeightPart::embedding) = count_of(weights.patch_embedding) + weights.leading.size();
    part(WeightPart::positions) = weights.position.size();
    for (const BlockWeights& b : weights.blocks) {
        part(WeightPart::attention) += count_of(b.query) + count_of(b.key) + count_of(b.value) +
                                       count_of(b.projection) + count_of(b.query_norm) + count_of(b.key_norm) +
                                       b.position_bias.size() + b.layer_scale_1.size();
        part(WeightPart::mlp) += count_of(b.mlp_in) + count_of(b.mlp_value) + count_of(b.mlp_norm) +
                                 count_of(b.mlp_out) + b.layer_scale_2.size();
        part(WeightPart::norms) += count_of(b.ln1) + count_of(b.ln2);
    }
    part(WeightPart::norms) += count_of(weights.norm) + count_of(weights.embedding_norm);
    part(WeightPart::head) = weights.pooling.parameter_count() + count_of(weights.classifier) +
                             count_of(weights.distillation_classifier) + count_of(weights.feature_projection);
    return counts;
}

}  // namespace vitrine
