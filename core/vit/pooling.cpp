#include "core/vit/pooling.h"

#include <algorithm>

#include "core/tensor/ops.h"
#include "core/transformer/attention.h"
#include "core/transformer/backward_layers.h"
#include "core/transformer/mlp.h"

namespace vitrine {

namespace {

/// The context of the pooling's layers: one query per image, and no what-ifs, since these act in the blocks.
struct PoolingLayer {
    PoolingLayer(const Model& model, std::size_t images) : config(model.config.pooling()), count(images) {}

    TransformerConfig config;
    std::size_t count;
    Editor edit = {};

    Layer layer() const { return {config, 0, {static_cast<int>(count), 1}, edit}; }
};

/// A copy of the probe for each image. (B, D)
Tensor2 probes(const PoolingWeights& w, std::size_t images) {
    Tensor2 rows = tensor2(images, w.probe.size());
    for (std::size_t b = 0; b < images; ++b) std::copy_n(w.probe.data(), w.probe.size(), &rows(b, 0));
    return rows;
}

}  // namespace

PoolingTrace pool(const Model& model, const Tensor2& tokens) {
    const PoolingWeights& w = model.weights.pooling;
    const std::size_t images = rows_of(tokens) / static_cast<std::size_t>(model.config.patches());
    const PoolingLayer context(model, images);
    PoolingTrace t;
    attend(context.layer(), w, probes(w, images), t, {.memory = &tokens});
    t.ln = layer_norm(w.ln, t.msa, context.config.layer_norm_epsilon);
    t.mlp = mlp_forward(context.layer(), w, t.ln.out);
    return t;
}

Tensor2 pooled(const PoolingTrace& t) {
    Tensor2 y = t.msa;
    add_to(y, t.mlp.out);
    return y;
}

Tensor2 pooled_alone(const Model& model, const Tensor2& tokens) {
    const PoolingWeights& w = model.weights.pooling;
    const PoolingLayer context(model, rows_of(tokens));
    Tensor2 y = linear(w.projection, linear(w.value, tokens));
    add_to(y, mlp_forward(context.layer(), w, layer_norm(w.ln, y, context.config.layer_norm_epsilon).out).out);
    return y;
}

Tensor2 pool_back(const PoolingBack& back, const Tensor2& dy, PoolingTrace& g) {
    const auto& [model, tokens, t, gradients] = back;
    const PoolingWeights &w = model.weights.pooling, &into = gradients.weights().pooling;
    const PoolingLayer context(model, rows_of(dy));
    g.ln.out = mlp_backward(context.layer(), {w, into, gradients}, t.mlp, t.ln.out, dy, g.mlp);
    Tensor2 d_msa = norm_back({w.ln, into.ln, t.ln, t.msa, context.config.layer_norm_epsilon}, gradients, g.ln.out);
    add_to(d_msa, dy);
    Tensor2 d_tokens = tensor2(rows_of(tokens), columns_of(tokens));
    std::fill_n(d_tokens.data(), d_tokens.size(), 0.0F);
    const Tensor2 x = probes(w, rows_of(dy));
    const Tensor2 d_probes = attend_back({.layer = context.layer(),
                                          .learned = {w, into, gradients},
                                          .trace = t,
                                          .x = x,
                                          .to = {.memory = &tokens},
                                          .memory_gradient = &d_tokens},
                                         std::move(d_msa), g);
    if (into.probe.empty()) return d_tokens;
    float* const d_probe = gradients.at(into.probe);
    for (std::size_t b = 0; b < rows_of(d_probes); ++b)
        for (std::size_t i = 0; i < columns_of(d_probes); ++i) d_probe[i] += d_probes(b, i);
    return d_tokens;
}

}  // namespace vitrine
