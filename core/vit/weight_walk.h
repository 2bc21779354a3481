#pragma once

#include "core/base/names.h"
#include "core/vit/model.h"

namespace vitrine {

/// The parts of a model between which its weights are divided.
enum class WeightPart { embedding, positions, attention, mlp, norms, head };
inline constexpr Named<WeightPart> weight_part_names[] = {
    {WeightPart::embedding, "embedding"}, {WeightPart::positions, "positions"},
    {WeightPart::attention, "attention"}, {WeightPart::mlp, "mlp"},
    {WeightPart::norms, "norms"},         {WeightPart::head, "head"}};

/// Where some weights of a model are: Hugging Face's name, below its block's in a block.
struct WeightPlace {
    const char* name;  // "layernorm_before", "classifier"
    WeightPart part;
    int block = 0;  // ℓ, 0 before the blocks, L + 1 after them
    bool in_block = false;
};

/// Calls `visit(place, member)` for every layer, norm and single parameter of a model, empty ones too, in the order in
/// which a run uses them. The list of a model's weights: whatever counts, names or packs them goes through it.
template <class OfWeights, class Visit>
void walk_weights(OfWeights& w, const Visit& visit) {
    using P = WeightPart;
    visit(WeightPlace{"vit.embeddings.leading_tokens", P::embedding}, w.leading);
    visit(WeightPlace{"vit.embeddings.position_embeddings", P::positions}, w.position);
    visit(WeightPlace{"vit.embeddings.patch_embeddings.projection", P::embedding}, w.patch_embedding);
    visit(WeightPlace{"vit.embeddings.norm_pre", P::norms}, w.embedding_norm);
    int block = 0;
    for (auto& b : w.blocks) {
        ++block;
        const auto in_block = [&](const char* name, P part, auto& member) {
            visit(WeightPlace{name, part, block, true}, member);
        };
        in_block("layernorm_before", P::norms, b.ln1);
        in_block("attention.attention.query", P::attention, b.query);
        in_block("attention.attention.key", P::attention, b.key);
        in_block("attention.attention.value", P::attention, b.value);
        in_block("attention.attention.vitrine_query_norm", P::attention, b.query_norm);
        in_block("attention.attention.vitrine_key_norm", P::attention, b.key_norm);
        in_block("attention.attention.relative_position_bias.relative_position_bias_table", P::attention,
                 b.position_bias);
        in_block("attention.output.dense", P::attention, b.projection);
        in_block("layer_scale1.lambda1", P::attention, b.layer_scale_1);
        in_block("layernorm_after", P::norms, b.ln2);
        in_block("intermediate.dense", P::mlp, b.mlp_in);
        in_block("intermediate.vitrine_value", P::mlp, b.mlp_value);
        in_block("intermediate.vitrine_norm", P::mlp, b.mlp_norm);
        in_block("output.dense", P::mlp, b.mlp_out);
        in_block("layer_scale2.lambda1", P::mlp, b.layer_scale_2);
    }
    const auto after = [&](const char* name, P part, auto& member) {
        visit(WeightPlace{name, part, block + 1}, member);
    };
    after("vit.layernorm", P::norms, w.norm);
    after("vitrine_pooling.probe", P::head, w.pooling.probe);
    after("vitrine_pooling.query", P::head, w.pooling.query);
    after("vitrine_pooling.key", P::head, w.pooling.key);
    after("vitrine_pooling.value", P::head, w.pooling.value);
    after("vitrine_pooling.output", P::head, w.pooling.projection);
    after("vitrine_pooling.layernorm", P::head, w.pooling.ln);
    after("vitrine_pooling.intermediate", P::head, w.pooling.mlp_in);
    after("vitrine_pooling.mlp_output", P::head, w.pooling.mlp_out);
    after("classifier", P::head, w.classifier);
    after("distillation_classifier", P::head, w.distillation_classifier);
    after("visual_projection", P::head, w.feature_projection);
}

}  // namespace vitrine
