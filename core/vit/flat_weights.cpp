#include "core/vit/flat_weights.h"

namespace vitrine {

namespace {

/// Every parameter of a model of this configuration, in the order of `parameters_of`.
Weights lay_out(const Config& c, const MakeParameter& make) {
    const auto features = static_cast<std::size_t>(c.embedding_dim);
    Weights w;
    if (const auto leading = static_cast<std::size_t>(c.leading_tokens()); leading > 0)
        w.leading = make({leading, features});
    if (c.position_table) w.position = make({static_cast<std::size_t>(c.position_rows()), features});
    w.patch_embedding = lay_out_linear(c.embedding_dim, c.patch_dim(), make, c.patch_bias);
    if (c.embedding_norm) w.embedding_norm = lay_out_norm(c, make);
    for (int i = 0; i < c.blocks; ++i) w.blocks.push_back(lay_out_block(c, make));
    w.norm = lay_out_norm(c, make);
    if (c.pools()) {
        w.pooling.probe = make({1, features});
        static_cast<AttentionWeights&>(w.pooling) = lay_out_attention(c.pooling(), make);
        w.pooling.ln = lay_out_norm(c, make);
        static_cast<MlpWeights&>(w.pooling) = lay_out_mlp(c.pooling(), make);
    }
    if (c.classes > 0) w.classifier = lay_out_linear(c.classes, c.classifier_inputs(), make);
    if (c.classes > 0 && c.readout == Readout::class_and_distillation)
        w.distillation_classifier = lay_out_linear(c.classes, c.embedding_dim, make);
    if (c.features > 0) w.feature_projection = lay_out_linear(c.features, c.classifier_inputs(), make, c.feature_bias);
    return w;
}

/// The structure of a model's weights, with as many blocks; all parameters are empty.
Weights lay_out_nothing(const Config& c) {
    Weights w;
    w.blocks.resize(static_cast<std::size_t>(c.blocks));
    return w;
}

}  // namespace

std::vector<NamedParameter> parameters_of(const Weights& weights) {
    std::vector<NamedParameter> list;
    const auto add = [&](int block, const std::string& name, const Parameter& p, bool matrix = false) {
        if (!p.empty()) list.push_back({name, p, block, matrix});
    };
    const auto add_linear = [&](int block, const std::string& name, const LinearWeights& w, bool matrix = false) {
        add(block, name + ".weight", w.weight, matrix);
        add(block, name + ".bias", w.bias);
    };
    const auto add_norm = [&](int block, const std::string& name, const LayerNormWeights& w) {
        add(block, name + ".weight", w.gamma);
        add(block, name + ".bias", w.beta);
    };
    add(0, "vit.embeddings.leading_tokens", weights.leading);
    add(0, "vit.embeddings.position_embeddings", weights.position);
    add_linear(0, "vit.embeddings.patch_embeddings.projection", weights.patch_embedding);
    add_norm(0, "vit.embeddings.norm_pre", weights.embedding_norm);
    int block = 0;
    for (const BlockWeights& b : weights.blocks) {
        const std::string prefix = "vit.encoder.layer." + std::to_string(block++) + ".";
        add_norm(block, prefix + "layernorm_before", b.ln1);
        add_linear(block, prefix + "attention.attention.query", b.query, true);
        add_linear(block, prefix + "attention.attention.key", b.key, true);
        add_linear(block, prefix + "attention.attention.value", b.value, true);
        add_norm(block, prefix + "attention.attention.vitrine_query_norm", b.query_norm);
        add_norm(block, prefix + "attention.attention.vitrine_key_norm", b.key_norm);
        add(block, prefix + "attention.attention.relative_position_bias.relative_position_bias_table", b.position_bias);
        add_linear(block, prefix + "attention.output.dense", b.projection, true);
        add(block, prefix + "layer_scale1.lambda1", b.layer_scale_1);
        add_norm(block, prefix + "layernorm_after", b.ln2);
        add_linear(block, prefix + "intermediate.dense", b.mlp_in, true);
        add_linear(block, prefix + "intermediate.vitrine_value", b.mlp_value, true);
        add_norm(block, prefix + "intermediate.vitrine_norm", b.mlp_norm);
        add_linear(block, prefix + "output.dense", b.mlp_out, true);
        add(block, prefix + "layer_scale2.lambda1", b.layer_scale_2);
    }
    add_norm(block + 1, "vit.layernorm", weights.norm);
    const PoolingWeights& pooling = weights.pooling;
    add(block + 1, "vitrine_pooling.probe", pooling.probe);
    add_linear(block + 1, "vitrine_pooling.query", pooling.query);
    add_linear(block + 1, "vitrine_pooling.key", pooling.key);
    add_linear(block + 1, "vitrine_pooling.value", pooling.value);
    add_linear(block + 1, "vitrine_pooling.output", pooling.projection);
    add_norm(block + 1, "vitrine_pooling.layernorm", pooling.ln);
    add_linear(block + 1, "vitrine_pooling.intermediate", pooling.mlp_in);
    add_linear(block + 1, "vitrine_pooling.mlp_output", pooling.mlp_out);
    add_linear(block + 1, "classifier", weights.classifier);
    add_linear(block + 1, "distillation_classifier", weights.distillation_classifier);
    add_linear(block + 1, "visual_projection", weights.feature_projection);
    return list;
}

FlatWeights::FlatWeights(const Config& config, Room room)
    : Flat([config, room](const MakeParameter& make) {
          return room == Room::all ? lay_out(config, make) : lay_out_nothing(config);
      }) {}

}  // namespace vitrine
