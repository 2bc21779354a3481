#include "core/forward.h"

#include <algorithm>
#include <cassert>

#include "core/ops.h"

namespace vitrine {

namespace {

Batch batch_of(const Model& model, const EmbeddingTrace& embedding) {
    const int tokens = model.config.tokens();
    return {static_cast<int>(embedding.z.shape()[0]) / tokens, tokens};
}

/// [x_class; x_p¹E; …] for each image.      (B·N_p, D)  ->  (B·N, D)
Tensor2 prepend_class_token(const Parameter& class_token, const Tensor2& patches, Batch batch) {
    const auto n = static_cast<std::size_t>(batch.tokens), images = static_cast<std::size_t>(batch.images);
    const std::size_t features = patches.shape()[1], patch_values = (n - 1) * features;
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

/// Blocks ℓ = first … L and the head, onto a trace that holds everything before.
void continue_trace(const Model& model, Trace& trace, Batch batch, const Editor& edit, const Progress& progress) {
    const int total = model.config.blocks;
    for (int block = static_cast<int>(trace.blocks.size()) + 1; block <= total; ++block) {
        report(progress, static_cast<double>(block - 1) / total);
        const Tensor2& z = trace.z(block - 1);
        trace.blocks.push_back(std::make_shared<BlockTrace>(encoder_block(model, block, z, batch, edit)));
    }
    trace.head = std::make_shared<HeadTrace>(classify(model, trace.z(total), batch));
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
    t.tokens = prepend_class_token(w.class_token, t.patch_embedding, batch);
    edit(Site::tokens, 0, t.tokens);
    Tensor2 positions = tensor2(static_cast<std::size_t>(batch.tokens), t.tokens.shape()[1]);
    std::copy_n(w.position.data(), positions.size(), positions.data());
    edit(Site::position, 0, positions);
    t.z = add_positions(t.tokens, positions);
    return t;
}

BlockTrace encoder_block(const Model& model, int block, const Tensor2& z, Batch batch, const Editor& edit) {
    const Config& c = model.config;
    const BlockWeights& w = model.weights.blocks[static_cast<std::size_t>(block - 1)];
    BlockTrace t;

    // clang-format off
    t.ln1 = layer_norm(w.ln1, z, c.layer_norm_epsilon);
    t.q = split_heads(linear(w.query, t.ln1.out), batch, c.heads);      edit(Site::q, block, t.q);
    t.k = split_heads(linear(w.key, t.ln1.out), batch, c.heads);        edit(Site::k, block, t.k);
    t.v = split_heads(linear(w.value, t.ln1.out), batch, c.heads);      edit(Site::v, block, t.v);
    t.scores = attention_scores(t.q, t.k);                              edit(Site::scores, block, t.scores);
    t.attention = softmax(t.scores);                                    edit(Site::attention, block, t.attention);
    t.heads = weighted_values(t.attention, t.v);                        edit(Site::heads, block, t.heads);
    t.msa = linear(w.projection, merge_heads(t.heads, batch));          edit(Site::msa, block, t.msa);
    t.residual = add(t.msa, z);

    t.ln2 = layer_norm(w.ln2, t.residual, c.layer_norm_epsilon);
    t.mlp.hidden = linear(w.mlp_in, t.ln2.out);                         edit(Site::mlp_hidden, block, t.mlp.hidden);
    t.mlp.activation = activate(c.activation, t.mlp.hidden);            edit(Site::mlp_activation, block, t.mlp.activation);
    t.mlp.out = linear(w.mlp_out, t.mlp.activation);                    edit(Site::mlp_out, block, t.mlp.out);
    t.z = add(t.mlp.out, t.residual);
    // clang-format on
    return t;
}

HeadTrace classify(const Model& model, const Tensor2& z, Batch batch) {
    const auto n = static_cast<std::size_t>(batch.tokens), images = static_cast<std::size_t>(batch.images);
    const std::size_t features = z.shape()[1];
    Tensor2 class_tokens = tensor2(images, features);
    for (std::size_t b = 0; b < images; ++b) std::copy_n(&z(b * n, 0), features, &class_tokens(b, 0));

    HeadTrace t;
    t.ln = layer_norm(model.weights.norm, class_tokens, model.config.layer_norm_epsilon).out;
    if (model.config.classes == 0) return t;
    t.logits = linear(model.weights.classifier, t.ln);
    t.probabilities = softmax(t.logits);
    return t;
}

Trace forward(const Model& model, Tensor3 image, const Progress& progress) {
    Trace trace;
    trace.embedding = std::make_shared<EmbeddingTrace>(embed(model, std::move(image)));
    continue_trace(model, trace, batch_of(model, *trace.embedding), {}, progress);
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
    trace.blocks.assign(baseline.blocks.begin(), baseline.blocks.begin() + std::max(0, first - 1));
    continue_trace(model, trace, batch, edit, progress);
    return trace;
}

}  // namespace vitrine
