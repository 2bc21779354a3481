#include "core/vit/flat_weights.h"

#include "core/base/overloaded.h"
#include "core/vit/weight_walk.h"

namespace vitrine {

Weights lay_out(const Config& c, const MakeParameter& make, int blocks) {
    const auto features = static_cast<std::size_t>(c.embedding_dim);
    Weights w;
    if (const auto leading = static_cast<std::size_t>(c.leading_tokens()); leading > 0)
        w.leading = make({leading, features});
    if (c.position_table) w.position = make({static_cast<std::size_t>(c.position_rows()), features});
    w.patch_embedding = lay_out_linear(c.embedding_dim, c.patch_dim(), make, c.patch_bias);
    if (c.embedding_norm) w.embedding_norm = lay_out_norm(c, make);
    for (int i = 0; i < blocks; ++i) w.blocks.push_back(lay_out_block(c, make));
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

namespace {

/// The structure of a model's weights, with its number of blocks and empty parameters.
Weights lay_out_nothing(const Config& c) {
    Weights w;
    w.blocks.resize(static_cast<std::size_t>(c.blocks));
    return w;
}

}  // namespace

std::vector<NamedParameter> parameters_of(const Weights& weights) {
    std::vector<NamedParameter> list;
    const auto add = [&](const WeightPlace& at, const char* ending, const Parameter& p, bool matrix = false) {
        if (p.empty()) return;
        const std::string above = at.in_block ? "vit.encoder.layer." + std::to_string(at.block - 1) + "." : "";
        list.push_back({above + at.name + ending, p, at.block, matrix});
    };
    const Overloaded visit{[&](const WeightPlace& at, const Parameter& p) { add(at, "", p); },
                           [&](const WeightPlace& at, const LinearWeights& w) {
                               add(at, ".weight", w.weight, at.in_block);
                               add(at, ".bias", w.bias);
                           },
                           [&](const WeightPlace& at, const LayerNormWeights& w) {
                               add(at, ".weight", w.gamma);
                               add(at, ".bias", w.beta);
                           }};
    walk_weights(weights, visit);
    return list;
}

FlatWeights::FlatWeights(const Config& config, Room room)
    : Flat([config, room](const MakeParameter& make) {
          return room == Room::all ? lay_out(config, make, config.blocks) : lay_out_nothing(config);
      }) {}

}  // namespace vitrine
