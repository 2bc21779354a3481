#include "core/vit/forward.h"

#include <algorithm>
#include <cassert>
#include <memory>

#include "core/tensor/ops.h"
#include "core/vit/readout.h"

namespace vitrine {

namespace {

Batch batch_of(const Model& model, const EmbeddingTrace& embedding) {
    const int tokens = model.config.tokens();
    return {static_cast<int>(embedding.z.shape()[0]) / tokens, tokens};
}

/// [x_class; x_p¹E; …] for each image, the patches alone where no class token is.      (B·N_p, D)  ->  (B·N, D)
Tensor2 prepend_class_token(const Parameter& class_token, const Tensor2& patches, Batch batch) {
    if (class_token.empty()) return patches;
    const auto n = static_cast<std::size_t>(batch.tokens), images = static_cast<std::size_t>(batch.images);
    const std::size_t features = patches.shape()[1], patch_values = patches.size() / images;
    Tensor2 tokens = tensor2(images * n, features);
    for (std::size_t b = 0; b < images; ++b) {
        float* const out = std::copy_n(class_token.data(), features, tokens.data() + b * n * features);
        std::copy_n(patches.data() + b * patch_values, patch_values, out);
    }
    return tokens;
}

/// E_pos for every image is the same.      (B·N, D) + (N, D)
Tensor2 add_positions(const Tensor2& tokens, const Tensor2& positions) {
    Tensor2 z = tensor2(tokens.shape()[0], tokens.shape()[1]);
    for (std::size_t i = 0; i < z.size(); ++i) z.data()[i] = tokens.data()[i] + positions.data()[i % positions.size()];
    return z;
}

/// What every part of a block reads.
struct Pass {
    const Config& config;
    const BlockWeights& weights;
    int block;
    Batch batch;
    const Editor& edit;
};

/// MSA(x): from x (B·N, D) to the trace's q … msa.   ViT paper, Eqs. 5 to 8
void attend(const Pass& p, const Tensor2& x, BlockTrace& t) {
    const auto& [c, w, block, batch, edit] = p;
    // clang-format off
    t.q = split_heads(linear(w.query, x), batch, c.heads);              edit(Site::q, block, t.q);
    t.k = split_heads(linear(w.key, x), batch, c.heads);                edit(Site::k, block, t.k, &t.q);
    t.v = split_heads(linear(w.value, x), batch, c.heads);              edit(Site::v, block, t.v, &t.q);
    t.scores = attention_scores(t.q, t.k);                              edit(Site::scores, block, t.scores, &t.q);
    t.attention = softmax(t.scores);                                    edit(Site::attention, block, t.attention);
    t.heads = weighted_values(t.attention, t.v);                        edit(Site::heads, block, t.heads);
    t.msa = linear(w.projection, merge_heads(t.heads, batch));          edit(Site::msa, block, t.msa);
    // clang-format on
}

/// MLP(x): from x (B·N, D) to the trace's mlp.
void think(const Pass& p, const Tensor2& x, BlockTrace& t) {
    const auto& [c, w, block, batch, edit] = p;
    // clang-format off
    t.mlp.hidden = linear(w.mlp_in, x);                                 edit(Site::mlp_hidden, block, t.mlp.hidden);
    t.mlp.activation = activate(c.activation, t.mlp.hidden);            edit(Site::mlp_activation, block, t.mlp.activation, &t.mlp.hidden);
    t.mlp.out = linear(w.mlp_out, t.mlp.activation);                    edit(Site::mlp_out, block, t.mlp.out);
    // clang-format on
}

/// branch + z, the residual connection.
Tensor2 add_skip(const Pass& p, const Tensor2& branch, const Tensor2& z) {
    if (!p.config.skips) return branch;
    if (!p.edit.acts(Site::skip, p.block)) return add(branch, z);
    Tensor2 skip = z;
    p.edit(Site::skip, p.block, skip);
    return add(branch, skip);
}

/// A layer norm that is left out: its statistics, and its input as its output.
LayerNormTrace pass_on(const Tensor2& x) {
    LayerNormTrace t = row_statistics(x);
    t.out = x;
    return t;
}

/// Blocks ℓ = first … L and the head, onto a trace that holds everything before.
void continue_trace(const Model& model, Trace& trace, Batch batch, const Editor& edit, const Progress& progress) {
    const int total = model.config.blocks;
    for (int block = trace.blocks() + 1; block <= total; ++block) {
        report(progress, static_cast<double>(block - 1) / total);
        const Tensor2& z = trace.z(block - 1);
        trace.add_block(std::make_shared<BlockTrace>(encoder_block(model, block, z, batch, edit)));
    }
    trace.head = std::make_shared<HeadTrace>(classify(model, trace.z(total)));
}

}  // namespace

EmbeddingTrace embed(const Model& model, Tensor3 image, const Editor& edit) {
    const Config& c = model.config;
    const Weights& w = model.weights;
    assert(image.shape()[0] % static_cast<std::size_t>(c.channels) == 0);
    const Batch batch{static_cast<int>(image.shape()[0]) / c.channels, c.tokens()};

    EmbeddingTrace t;
    t.image = std::move(image);
    t.patch_embedding = linear(w.patch_embedding, patches_as_rows(t.image, c.channels, c.patch_size));
    edit(Site::patches, 0, t.patch_embedding);
    t.tokens = prepend_class_token(w.class_token, t.patch_embedding, batch);
    edit(Site::tokens, 0, t.tokens);
    Tensor2 positions = tensor2(static_cast<std::size_t>(batch.tokens), t.tokens.shape()[1]);
    std::copy_n(w.position.data(), positions.size(), positions.data());
    edit(Site::position, 0, positions);
    t.z = add_positions(t.tokens, positions);
    return t;
}

BlockTrace encoder_block(const Model& model, int block, const Tensor2& z, Batch batch, const Editor& edit) {
    const Pass pass{model.config, model.weights.blocks[static_cast<std::size_t>(block - 1)], block, batch, edit};
    const LayerNormWeights &ln1 = pass.weights.ln1, &ln2 = pass.weights.ln2;
    const float epsilon = pass.config.layer_norm_epsilon;
    BlockTrace t;
    switch (edit.norm(pass.config, block)) {
        case Norm::before:
            t.ln1 = layer_norm(ln1, z, epsilon);
            attend(pass, t.ln1.out, t);
            t.residual = add_skip(pass, t.msa, z);
            t.ln2 = layer_norm(ln2, t.residual, epsilon);
            think(pass, t.ln2.out, t);
            t.z = std::make_shared<Tensor2>(add_skip(pass, t.mlp.out, t.residual));
            break;
        case Norm::after:
            attend(pass, z, t);
            t.ln1 = layer_norm(ln1, add_skip(pass, t.msa, z), epsilon);
            t.residual = t.ln1.out;
            think(pass, t.residual, t);
            t.ln2 = layer_norm(ln2, add_skip(pass, t.mlp.out, t.residual), epsilon);
            t.z = std::make_shared<Tensor2>(t.ln2.out);
            break;
        case Norm::none:
            t.ln1 = pass_on(z);
            attend(pass, z, t);
            t.residual = add_skip(pass, t.msa, z);
            t.ln2 = pass_on(t.residual);
            think(pass, t.residual, t);
            t.z = std::make_shared<Tensor2>(add_skip(pass, t.mlp.out, t.residual));
            break;
    }
    return t;
}

HeadTrace classify(const Model& model, const Tensor2& z) {
    HeadTrace t;
    t.ln = layer_norm(model.weights.norm, read_out(model.config, z), model.config.layer_norm_epsilon).out;
    if (model.config.classes == 0) return t;
    t.logits = linear(model.weights.classifier, t.ln);
    t.probabilities = softmax(t.logits);
    return t;
}

Trace forward(const Model& model, Tensor3 image, const Progress& progress,
              std::span<const Intervention> interventions) {
    const int images = static_cast<int>(image.shape()[0]) / model.config.channels;
    const Batch batch{images, model.config.tokens()};
    const Editor edit(interventions, batch);
    Trace trace;
    trace.embedding = std::make_shared<EmbeddingTrace>(embed(model, std::move(image), edit));
    continue_trace(model, trace, batch, edit, progress);
    return trace;
}

Trace what_if(const Model& model, const Trace& baseline, std::span<const Intervention> interventions,
              const Progress& progress) {
    const int first = first_block(interventions, model.config.blocks);
    if (first > model.config.blocks) return baseline;

    const Batch batch = batch_of(model, *baseline.embedding);
    const Editor edit(interventions, batch);
    Trace trace;
    trace.embedding = first == 0 ? std::make_shared<EmbeddingTrace>(embed(model, baseline.embedding->image, edit))
                                 : baseline.embedding;
    for (int block = 1; block < first; ++block) trace.add_block(baseline.block(block));
    continue_trace(model, trace, batch, edit, progress);
    return trace;
}

}  // namespace vitrine
