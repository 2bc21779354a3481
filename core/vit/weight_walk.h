#pragma once

#include "core/base/names.h"
#include "core/vit/model.h"

namespace vitrine {

/// The parts of a model, for counts of its weights.
enum class WeightPart { embedding, positions, attention, mlp, norms, head };
inline constexpr Named<WeightPart> weight_part_names[] = {
    {WeightPart::embedding, "embedding"}, {WeightPart::positions, "positions"},
    {WeightPart::attention, "attention"}, {WeightPart::mlp, "mlp"},
    {WeightPart::norms, "norms"},         {WeightPart::head, "head"}};

/// The place of some weights in a model, under Hugging Face's name; inside a block, without the block's prefix.
struct WeightPlace {
    const char* name;  // "layernorm_before", "classifier"
    WeightPart part;
    int block = 0;  // ℓ, 0 before the blocks, L + 1 after them
    bool in_block = false;
};

/// Calls `visit(place, member)` for every layer, norm and single parameter of a model, including empty ones, in the
/// order in which a run uses them. All code that counts, names or packs weights uses this list.
template <class OfWeights, class Visit>
void walk_weights(OfWeights& w, const Visit& visit) {
    using P = WeightPart;
    int block = 0;
    bool in_block = false;
    const auto at = [&](const char* name, P part, auto& member) {
        visit(WeightPlace{name, part, block, in_block}, member);
    };
    at("vit.embeddings.leading_tokens", P::embedding, w.leading);
    at("vit.embeddings.position_embeddings", P::positions, w.position);
    at("vit.embeddings.patch_embeddings.projection", P::embedding, w.patch_embedding);
    at("vit.embeddings.norm_pre", P::norms, w.embedding_norm);
    in_block = true;
    for (auto& b : w.blocks) {
        ++block;
        at("layernorm_before", P::norms, b.ln1);
        at("attention.attention.query", P::attention, b.query);
        at("attention.attention.key", P::attention, b.key);
        at("attention.attention.value", P::attention, b.value);
        at("attention.attention.vitrine_query_norm", P::attention, b.query_norm);
        at("attention.attention.vitrine_key_norm", P::attention, b.key_norm);
        at("attention.attention.relative_position_bias.relative_position_bias_table", P::attention, b.position_bias);
        at("attention.output.dense", P::attention, b.projection);
        at("layer_scale1.lambda1", P::attention, b.layer_scale_1);
        at("layernorm_after", P::norms, b.ln2);
        at("intermediate.dense", P::mlp, b.mlp_in);
        at("intermediate.vitrine_value", P::mlp, b.mlp_value);
        at("intermediate.vitrine_norm", P::mlp, b.mlp_norm);
        at("output.dense", P::mlp, b.mlp_out);
        at("layer_scale2.lambda1", P::mlp, b.layer_scale_2);
    }
    ++block;
    in_block = false;
    at("vit.layernorm", P::norms, w.norm);
    at("vitrine_pooling.probe", P::head, w.pooling.probe);
    at("vitrine_pooling.query", P::head, w.pooling.query);
    at("vitrine_pooling.key", P::head, w.pooling.key);
    at("vitrine_pooling.value", P::head, w.pooling.value);
    at("vitrine_pooling.output", P::head, w.pooling.projection);
    at("vitrine_pooling.layernorm", P::head, w.pooling.ln);
    at("vitrine_pooling.intermediate", P::head, w.pooling.mlp_in);
    at("vitrine_pooling.mlp_output", P::head, w.pooling.mlp_out);
    at("classifier", P::head, w.classifier);
    at("distillation_classifier", P::head, w.distillation_classifier);
    at("visual_projection", P::head, w.feature_projection);
}

}  // namespace vitrine
