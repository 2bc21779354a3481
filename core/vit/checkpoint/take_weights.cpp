#include "core/vit/checkpoint/take_weights.h"

#include <algorithm>
#include <memory>

#include "core/base/error.h"

namespace vitrine {

namespace {

LinearWeights take_linear(TensorReader& reader, const std::string& name, std::size_t outputs, std::size_t inputs) {
    return {reader.take(name + ".weight", {outputs, inputs}), reader.take(name + ".bias", {outputs}), {}};
}

/// A layer of queries, keys or values, whose bias is optional.
LinearWeights take_projection(TensorReader& reader, const std::string& name, std::size_t d, bool biased) {
    if (biased) return take_linear(reader, name, d, d);
    return {reader.take(name + ".weight", {d, d}), {}, {}};
}

LayerNormWeights take_norm(TensorReader& reader, const std::string& name, std::size_t features) {
    return {reader.take(name + ".weight", {features}), reader.take(name + ".bias", {features})};
}

void take_mlp(TensorReader& reader, const TensorPlaces& p, int index, BlockWeights& b, const Config& c) {
    const Layout& l = *p.layout;
    const auto d = static_cast<std::size_t>(c.embedding_dim), m = static_cast<std::size_t>(c.mlp_dim);
    if (!p.gated_mlp) {
        b.mlp_in = take_linear(reader, p.block(index, l.mlp_in), m, d);
    } else if (*p.gated_mlp->value != '\0') {
        b.mlp_in = take_linear(reader, p.block(index, p.gated_mlp->gate), m, d);
        b.mlp_value = take_linear(reader, p.block(index, p.gated_mlp->value), m, d);
    } else {
        const LinearWeights both = take_linear(reader, p.block(index, p.gated_mlp->gate), 2 * m, d);
        b.mlp_in = {part_of(both.weight, 0, 2, {m, d}), part_of(both.bias, 0, 2, {m}), {}};
        b.mlp_value = {part_of(both.weight, 1, 2, {m, d}), part_of(both.bias, 1, 2, {m}), {}};
    }
    if (c.mlp_norm) b.mlp_norm = take_norm(reader, p.block(index, p.in_block(l.mlp_norm)), m);
    b.mlp_out = take_linear(reader, p.block(index, p.gated_mlp ? p.gated_mlp->out : l.mlp_out), d, m);
}

void take_qkv(TensorReader& reader, const TensorPlaces& p, int index, BlockWeights& b, const Config& c) {
    const Layout& l = *p.layout;
    const auto d = static_cast<std::size_t>(c.embedding_dim);
    if (*l.qkv_weight == '\0') {
        b.query = take_projection(reader, p.block(index, l.query), d, c.query_bias);
        b.key = take_projection(reader, p.block(index, l.key), d, c.key_bias);
        b.value = take_projection(reader, p.block(index, l.value), d, c.value_bias);
        return;
    }
    const Parameter weight = reader.take(p.block(index, l.qkv_weight), {3 * d, d});
    const bool separate = c.query_bias && !c.key_bias;  // separate biases of queries and values
    const Parameter bias = c.query_bias && !separate ? reader.take(p.block(index, l.qkv_bias), {3 * d}) : Parameter();
    LinearWeights* const parts[] = {&b.query, &b.key, &b.value};
    if (separate) b.query.bias = reader.take(p.block(index, l.query_bias), {d});
    if (separate) b.value.bias = reader.take(p.block(index, l.value_bias), {d});
    for (std::size_t i = 0; i < 3; ++i) {
        parts[i]->weight = part_of(weight, i, 3, {d, d});
        if (!bias.empty()) parts[i]->bias = part_of(bias, i, 3, {d});
    }
}

BlockWeights take_block(TensorReader& reader, const TensorPlaces& p, int index, const Config& c) {
    const Layout& l = *p.layout;
    const auto d = static_cast<std::size_t>(c.embedding_dim);
    BlockWeights b;
    b.ln1 = take_norm(reader, p.block(index, l.ln1), d);
    take_qkv(reader, p, index, b, c);
    if (c.qk_norm) {
        b.query_norm = take_norm(reader, p.block(index, l.query_norm), static_cast<std::size_t>(c.head_dim()));
        b.key_norm = take_norm(reader, p.block(index, l.key_norm), static_cast<std::size_t>(c.head_dim()));
    }
    if (c.position_bias > 0 && (index == 0 || p.shared_position_bias.empty()))
        b.position_bias = reader.take(p.table_of(index),
                                      {static_cast<std::size_t>(c.position_bias), static_cast<std::size_t>(c.heads)});
    b.projection = take_linear(reader, p.block(index, l.projection), d, d);
    if (c.layer_scale) b.layer_scale_1 = reader.take(p.block(index, p.in_block(l.layer_scale_1)), {d});
    b.ln2 = take_norm(reader, p.block(index, l.ln2), d);
    take_mlp(reader, p, index, b, c);
    if (c.layer_scale) b.layer_scale_2 = reader.take(p.block(index, p.in_block(l.layer_scale_2)), {d});
    return b;
}

/// The projection at the end, which some files store as (D, features).
LinearWeights take_features(TensorReader& reader, const TensorPlaces& p, const Config& c) {
    const auto d = static_cast<std::size_t>(c.classifier_inputs()), features = static_cast<std::size_t>(c.features);
    if (p.features.empty()) return take_linear(reader, p.classifier, features, d);
    if (const std::size_t end = p.features.rfind(".weight"); end != std::string::npos) {
        const std::string name = p.features.substr(0, end);
        if (reader.has(name + ".bias")) return take_linear(reader, name, features, d);
        return {reader.take(p.features, {features, d}), {}, {}};
    }
    return {transposed(reader.take(p.features, {d, features})), {}, {}};
}

/// The vectors of all tokens before the patches, one row each.
Parameter take_leading(TensorReader& reader, const TensorPlaces& p, const Config& c) {
    const auto d = static_cast<std::size_t>(c.embedding_dim), all = static_cast<std::size_t>(c.leading_tokens());
    if (c.leading.empty()) return {};
    if (c.leading.size() == 1) return reader.take(p.leading.front(), {all, d});
    const std::shared_ptr<float[]> rows(new float[all * d]);
    float* next = rows.get();
    for (std::size_t i = 0; i < c.leading.size(); ++i) {
        const Parameter group = reader.take(p.leading[i], {static_cast<std::size_t>(c.leading[i].count), d});
        next = std::copy_n(group.data(), group.size(), next);
    }
    return {std::shared_ptr<const float>(rows, rows.get()), {all, d}};
}

PoolingWeights take_pooling(TensorReader& reader, const TensorPlaces& p, const Config& c) {
    const PoolingNames& names = p.layout->pooling;
    const auto d = static_cast<std::size_t>(c.embedding_dim), m = static_cast<std::size_t>(c.pooling_dim);
    const auto place = [&](const char* name) { return *p.pooling_prefix + name; };
    PoolingWeights w;
    w.probe = reader.take(place(names.probe), {1, d});
    LinearWeights* const parts[] = {&w.query, &w.key, &w.value};
    const char* const separate[] = {names.query, names.key, names.value};
    for (std::size_t i = 0; i < 3; ++i)
        if (*separate[i] != '\0') *parts[i] = take_linear(reader, place(separate[i]), d, d);
    const auto split = [&](const Parameter& weight, const Parameter& bias, std::size_t first) {
        for (std::size_t i = first; i < 3; ++i)
            *parts[i] = {part_of(weight, i - first, 3 - first, {d, d}), part_of(bias, i - first, 3 - first, {d}), {}};
    };
    if (*names.qkv_weight != '\0')
        split(reader.take(place(names.qkv_weight), {3 * d, d}), reader.take(place(names.qkv_bias), {3 * d}), 0);
    if (*names.key_and_value != '\0') {
        const LinearWeights both = take_linear(reader, place(names.key_and_value), 2 * d, d);
        split(both.weight, both.bias, 1);
    }
    w.projection = take_linear(reader, place(names.projection), d, d);
    w.ln = take_norm(reader, place(names.ln), d);
    w.mlp_in = take_linear(reader, place(names.mlp_in), m, d);
    w.mlp_out = take_linear(reader, place(names.mlp_out), d, m);
    return w;
}

}  // namespace

Weights take_weights(TensorReader& reader, const TensorPlaces& p, const Config& c) {
    const auto d = static_cast<std::size_t>(c.embedding_dim), side = static_cast<std::size_t>(c.patch_size);
    const auto channels = static_cast<std::size_t>(c.channels);
    Weights w;
    const Parameter filters = reader.take(p.patch_weight, {d, channels, side, side});
    const auto owner = std::make_shared<Parameter>(filters);
    w.patch_embedding.weight = {std::shared_ptr<const float>(owner, filters.data()), {d, channels * side * side}};
    if (c.patch_bias) w.patch_embedding.bias = reader.take(p.patch_bias, {d});
    w.leading = take_leading(reader, p, c);
    if (c.position_table) w.position = reader.take(p.position, {static_cast<std::size_t>(c.position_rows()), d});
    if (c.embedding_norm) w.embedding_norm = take_norm(reader, p.embedding_norm, d);
    for (int i = 0; i < c.blocks; ++i) w.blocks.push_back(take_block(reader, p, i, c));
    for (BlockWeights& block : w.blocks)
        if (!p.shared_position_bias.empty()) block.position_bias = w.blocks.front().position_bias;
    w.norm = take_norm(reader, p.norm, d);
    if (c.pools()) w.pooling = take_pooling(reader, p, c);
    const auto classes = static_cast<std::size_t>(c.classes);
    if (c.classes > 0)
        w.classifier = take_linear(reader, p.classifier, classes, static_cast<std::size_t>(c.classifier_inputs()));
    if (c.classes > 0 && c.readout == Readout::class_and_distillation)
        w.distillation_classifier = take_linear(reader, p.second_classifier, classes, d);
    if (c.features > 0) w.feature_projection = take_features(reader, p, c);
    return w;
}

void refuse_leftovers(TensorReader& reader, Model& model) {
    for (const std::string& name : reader.unread_names())
        if (model.config.classes > 0 &&
            (ends_with(name, "pre_logits.fc.weight") || ends_with(name, "pre_logits.weight")))
            throw Error(reader.file().name() + ": this model has a layer before its classifier (\"" + name +
                        "\"), which Vitrine does not read yet; use a plain Vision Transformer");
    for (const std::string& name : reader.unread_names())
        for (const char* const end : ends_passed_over())
            if (ends_with(name, end)) {
                reader.pass_over(name);
                model.provenance.passed_over.push_back(name);
                break;
            }
    const std::vector<std::string> rest = reader.unread_names();
    if (rest.empty()) return;
    constexpr std::size_t listed = 4;
    std::string names;
    for (std::size_t i = 0; i < std::min(rest.size(), listed); ++i) names += (i > 0 ? ", \"" : "\"") + rest[i] + "\"";
    if (rest.size() > listed) names += " and " + std::to_string(rest.size() - listed) + " more";
    throw Error(reader.file().name() + ": the file holds tensors that Vitrine does not know (" + names +
                "); it reads plain Vision Transformers, so save only those parts");
}

}  // namespace vitrine
