#include "core/transformer/flat_weights.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace vitrine {

namespace {

using Shape = std::vector<std::size_t>;

std::size_t count_of(const Shape& shape) {
    return std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
}

/// Every parameter of a model of this configuration, made by `make` in the order of `parameters_of`.
Weights lay_out(const Config& c, const std::function<Parameter(const Shape&)>& make) {
    const auto d = static_cast<std::size_t>(c.embedding_dim), m = static_cast<std::size_t>(c.mlp_dim);
    const auto linear = [&](std::size_t outputs, std::size_t inputs, bool biased = true) {
        LinearWeights w;
        w.weight = make({outputs, inputs});
        if (biased) w.bias = make({outputs});
        return w;
    };
    const auto norm = [&] {
        LayerNormWeights w;
        w.gamma = make({d});
        w.beta = make({d});
        return w;
    };
    Weights w;
    if (c.class_token) w.class_token = make({d});
    w.position = make({static_cast<std::size_t>(c.tokens()), d});
    w.patch_embedding = linear(d, static_cast<std::size_t>(c.patch_dim()));
    for (int i = 0; i < c.blocks; ++i) {
        BlockWeights b;
        b.ln1 = norm();
        b.query = linear(d, d, c.qkv_bias);
        b.key = linear(d, d, c.qkv_bias);
        b.value = linear(d, d, c.qkv_bias);
        b.projection = linear(d, d);
        b.ln2 = norm();
        b.mlp_in = linear(m, d);
        b.mlp_out = linear(d, m);
        w.blocks.push_back(std::move(b));
    }
    w.norm = norm();
    if (c.classes > 0) w.classifier = linear(static_cast<std::size_t>(c.classes), d);
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
    add(0, "vit.embeddings.cls_token", weights.class_token);
    add(0, "vit.embeddings.position_embeddings", weights.position);
    add_linear(0, "vit.embeddings.patch_embeddings.projection", weights.patch_embedding);
    int block = 0;
    for (const BlockWeights& b : weights.blocks) {
        const std::string prefix = "vit.encoder.layer." + std::to_string(block++) + ".";
        add_norm(block, prefix + "layernorm_before", b.ln1);
        add_linear(block, prefix + "attention.attention.query", b.query, true);
        add_linear(block, prefix + "attention.attention.key", b.key, true);
        add_linear(block, prefix + "attention.attention.value", b.value, true);
        add_linear(block, prefix + "attention.output.dense", b.projection, true);
        add_norm(block, prefix + "layernorm_after", b.ln2);
        add_linear(block, prefix + "intermediate.dense", b.mlp_in, true);
        add_linear(block, prefix + "output.dense", b.mlp_out, true);
    }
    add_norm(block + 1, "vit.layernorm", weights.norm);
    add_linear(block + 1, "classifier", weights.classifier);
    return list;
}

FlatWeights::FlatWeights(const Config& config, Room room) : config_(config) {
    if (room == Room::nothing) {
        weights_.blocks.resize(static_cast<std::size_t>(config.blocks));
        return;
    }
    lay_out(config, [&](const Shape& shape) {
        size_ += count_of(shape);
        return Parameter();
    });
    data_ = std::shared_ptr<float[]>(new float[size_]());
    float* next = data_.get();
    weights_ = lay_out(config, [&](const Shape& shape) {
        const std::shared_ptr<const float> here(data_, next);
        next += count_of(shape);
        return Parameter(here, shape);
    });
}

FlatWeights::FlatWeights(const FlatWeights& other)
    : FlatWeights(other.config_, other.size_ > 0 ? Room::all : Room::nothing) {
    std::copy(other.values().begin(), other.values().end(), data_.get());
}

FlatWeights& FlatWeights::operator=(const FlatWeights& other) {
    FlatWeights copy(other);
    std::swap(config_, copy.config_);
    std::swap(size_, copy.size_);
    std::swap(data_, copy.data_);
    std::swap(weights_, copy.weights_);
    return *this;
}

}  // namespace vitrine
