#include "core/vit/backward.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <memory>
#include <vector>

#include "core/tensor/matmul.h"
#include "core/tensor/ops.h"
#include "core/transformer/backward_layers.h"
#include "core/vit/readout.h"

namespace vitrine {

namespace {

using Into = Product::Into;

void add_to(Tensor2& sum, const Tensor2& x) {
    for (std::size_t i = 0; i < sum.size(); ++i) sum.data()[i] += x.data()[i];
}

/// What every part of a block's way back reads, and where its gradients go.
struct Pass {
    const Config& config;
    const BlockWeights& weights;  // of the model
    const BlockWeights& into;     // of the gradients
    FlatWeights& gradients;
    int block;
    Batch batch;
    const Editor& edit;
};

/// MLP(x), back to ∂x. The gradients of its activations come to `g`.
Tensor2 think_back(const Pass& p, const BlockTrace& t, const Tensor2& x, Tensor2 d_out, BlockTrace& g) {
    p.edit.adjoint(Site::mlp_out, p.block, d_out);
    Tensor2 d_activation = linear_back(p.weights.mlp_out, p.into.mlp_out, p.gradients, t.mlp.activation, d_out);
    p.edit.adjoint(Site::mlp_activation, p.block, d_activation);
    Tensor2 d_hidden = activate_back(p.edit.activation(p.config, p.block), t.mlp.hidden, d_activation);
    p.edit.adjoint(Site::mlp_hidden, p.block, d_hidden);
    Tensor2 dx = linear_back(p.weights.mlp_in, p.into.mlp_in, p.gradients, x, d_hidden);
    g.mlp = {std::move(d_hidden), std::move(d_activation), std::move(d_out)};
    return dx;
}

/// softmax(scores) · V of every head, back:  ∂V = Aᵀ ∂O,  ∂A = ∂O Vᵀ,  ∂S = A ⊙ (∂A − Σ ∂A ⊙ A),  ∂Q = ∂S K/√d,
/// ∂K = ∂Sᵀ Q/√d.
void heads_back(const Pass& p, const BlockTrace& t, BlockTrace& g) {
    const std::size_t heads = t.q.shape()[0], n = t.q.shape()[1], d = t.q.shape()[2];
    g.v = tensor3(heads, n, d);
    g.attention = tensor3(heads, n, n);
    multiply({.a = view(t.attention), .b = view(g.heads), .transpose_a = Transpose::yes, .count = heads}, g.v.data());
    multiply({.a = view(g.heads), .b = view(t.v), .transpose_b = Transpose::yes, .count = heads}, g.attention.data());
    p.edit.adjoint(Site::attention, p.block, g.attention);

    // What an intervention did to the weights, the softmax did not know.
    const bool edited = p.edit.acts(Site::attention, p.block);
    const Tensor3 softened = edited ? softmax(t.scores) : Tensor3();
    g.scores = softmax_back(edited ? softened : t.attention, g.attention);
    g.q = tensor3(heads, n, d);
    p.edit.adjoint(Site::scores, p.block, g.scores, &g.q);

    g.k = tensor3(heads, n, d);
    const float scale = 1.0F / std::sqrt(static_cast<float>(d));
    multiply({.a = view(g.scores), .b = view(t.k), .alpha = scale, .count = heads}, g.q.data());
    multiply({.a = view(g.scores), .b = view(t.q), .transpose_a = Transpose::yes, .alpha = scale, .count = heads},
             g.k.data());
    p.edit.adjoint(Site::v, p.block, g.v, &g.q);
    p.edit.adjoint(Site::k, p.block, g.k, &g.q);
    p.edit.adjoint(Site::q, p.block, g.q);
}

/// MSA(x), back to ∂x.
Tensor2 attend_back(const Pass& p, const BlockTrace& t, const Tensor2& x, Tensor2 d_msa, BlockTrace& g) {
    const auto& [c, w, into, gradients, block, batch, edit] = p;
    edit.adjoint(Site::msa, block, d_msa);
    const Tensor2 merged = merge_heads(t.heads, batch);
    g.heads = split_heads(linear_back(w.projection, into.projection, gradients, merged, d_msa), batch, c.heads);
    edit.adjoint(Site::heads, block, g.heads);
    heads_back(p, t, g);

    Tensor2 dx = tensor2(rows_of(x), columns_of(x));
    Into into_dx = Into::empty;
    const auto project_back = [&](const LinearWeights& weights, const LinearWeights& gradient, const Tensor3& d) {
        const Tensor2 rows = merge_heads(d, batch);
        weight_gradients(gradient, gradients, x, rows);
        input_gradient(weights, rows, dx, into_dx);
        into_dx = Into::sum;
    };
    project_back(w.query, into.query, g.q);
    project_back(w.key, into.key, g.k);
    project_back(w.value, into.value, g.v);
    g.msa = std::move(d_msa);
    return dx;
}

/// What the residual connection takes back: ∂z grows by it.
void skip_back(const Pass& p, const Tensor2& d_sum, Tensor2& dz) {
    if (!p.config.skips) return;
    Tensor2 skipped = d_sum;
    p.edit.adjoint(Site::skip, p.block, skipped);
    add_to(dz, skipped);
}

/// The sum that a post-norm block normalises; the trace holds it only after the norm.
Tensor2 sum_before_norm(const Pass& p, const Tensor2& branch, const Tensor2& z) {
    if (!p.config.skips) return branch;
    Tensor2 skip = z;
    p.edit(Site::skip, p.block, skip);
    return add(branch, skip);
}

/// Block ℓ, back: from ∂zℓ to ∂zℓ₋₁.
Tensor2 block_back(const Pass& p, const BlockTrace& t, const Tensor2& z, Tensor2 dz, BlockTrace& g) {
    const float epsilon = p.config.layer_norm_epsilon;
    const BlockWeights &w = p.weights, &into = p.into;
    switch (p.edit.norm(p.config, p.block)) {
        case Norm::before: {
            g.z = std::make_shared<Tensor2>(dz);
            g.ln2.out = think_back(p, t, t.ln2.out, dz, g);
            g.residual = norm_back({w.ln2, into.ln2, t.ln2, t.residual, epsilon}, p.gradients, g.ln2.out);
            skip_back(p, dz, g.residual);
            g.ln1.out = attend_back(p, t, t.ln1.out, g.residual, g);
            Tensor2 dx = norm_back({w.ln1, into.ln1, t.ln1, z, epsilon}, p.gradients, g.ln1.out);
            skip_back(p, g.residual, dx);
            return dx;
        }
        case Norm::after: {
            g.ln2.out = dz;
            g.z = std::make_shared<Tensor2>(dz);
            const Tensor2 d_sum = norm_back(
                {w.ln2, into.ln2, t.ln2, sum_before_norm(p, t.mlp.out, t.residual), epsilon}, p.gradients, dz);
            g.residual = think_back(p, t, t.residual, d_sum, g);
            skip_back(p, d_sum, g.residual);
            g.ln1.out = g.residual;
            const Tensor2 d_first =
                norm_back({w.ln1, into.ln1, t.ln1, sum_before_norm(p, t.msa, z), epsilon}, p.gradients, g.residual);
            Tensor2 dx = attend_back(p, t, z, d_first, g);
            skip_back(p, d_first, dx);
            return dx;
        }
        case Norm::none: {
            g.z = std::make_shared<Tensor2>(dz);
            g.residual = think_back(p, t, t.residual, dz, g);
            skip_back(p, dz, g.residual);
            Tensor2 dx = attend_back(p, t, z, g.residual, g);
            skip_back(p, g.residual, dx);
            return dx;
        }
    }
    return dz;
}

/// The row of the one token that is read adds to what its image has.      rows (B, D), sum (B·N, D)
void add_to_read_rows(const Config& c, Tensor2& sum, const Tensor2& rows) {
    const auto n = static_cast<std::size_t>(c.tokens()), read = static_cast<std::size_t>(read_tokens(c).first);
    for (std::size_t b = 0; b < rows_of(rows); ++b)
        for (std::size_t i = 0; i < columns_of(rows); ++i) sum(b * n + read, i) += rows(b, i);
}

/// That token's part of every head's matrix.      (B·h, N, columns)  ->  (B·h, 1, columns)
Tensor3 read_rows(const Config& c, const Tensor3& x) {
    const std::size_t columns = x.shape()[2], read = static_cast<std::size_t>(read_tokens(c).first);
    Tensor3 rows = tensor3(x.shape()[0], 1, columns);
    for (std::size_t i = 0; i < x.shape()[0]; ++i) std::copy_n(&x(i, read, 0), columns, &rows(i, 0, 0));
    return rows;
}

/// A layer norm's trace of those rows alone.
LayerNormTrace read_rows(const Config& c, const LayerNormTrace& t) {
    const auto n = static_cast<std::size_t>(c.tokens()), read = static_cast<std::size_t>(read_tokens(c).first);
    const std::size_t images = rows_of(t.out) / n;
    LayerNormTrace rows{tensor1(images), tensor1(images), read_out(c, t.out)};
    for (std::size_t b = 0; b < images; ++b) {
        rows.mean(b) = t.mean(b * n + read);
        rows.var(b) = t.var(b * n + read);
    }
    return rows;
}

/// MSA(x), back to ∂x where only the one token that is read has a gradient of its output, d_msa (B, D).
Tensor2 attend_back_from_read(const Pass& p, const BlockTrace& t, const Tensor2& x, const Tensor2& d_msa) {
    const auto& [c, w, into, gradients, block, batch, edit] = p;
    const std::size_t heads = t.q.shape()[0], n = t.q.shape()[1], d = t.q.shape()[2];
    const float scale = 1.0F / std::sqrt(static_cast<float>(d));
    const Batch rows{batch.images, 1};
    const Tensor2 d_merged =
        linear_back(w.projection, into.projection, gradients, merge_heads(read_rows(c, t.heads), rows), d_msa);
    const Tensor3 d_heads = split_heads(d_merged, rows, c.heads), attention = read_rows(c, t.attention),
                  q = read_rows(c, t.q);

    Tensor3 d_v = tensor3(heads, n, d), d_k = tensor3(heads, n, d), d_q = tensor3(heads, 1, d);
    Tensor3 d_attention = tensor3(heads, 1, n);
    multiply({.a = view(attention), .b = view(d_heads), .transpose_a = Transpose::yes, .count = heads}, d_v.data());
    multiply({.a = view(d_heads), .b = view(t.v), .transpose_b = Transpose::yes, .count = heads}, d_attention.data());
    const Tensor3 d_scores = softmax_back(attention, d_attention);
    multiply({.a = view(d_scores), .b = view(t.k), .alpha = scale, .count = heads}, d_q.data());
    multiply({.a = view(d_scores), .b = view(q), .transpose_a = Transpose::yes, .alpha = scale, .count = heads},
             d_k.data());

    const Tensor2 k_rows = merge_heads(d_k, batch), v_rows = merge_heads(d_v, batch), q_rows = merge_heads(d_q, rows);
    Tensor2 dx = linear_back(w.key, into.key, gradients, x, k_rows);
    weight_gradients(into.value, gradients, x, v_rows);
    input_gradient(w.value, v_rows, dx, Into::sum);
    add_to_read_rows(c, dx, linear_back(w.query, into.query, gradients, read_out(c, x), q_rows));
    return dx;
}

/// The last block, back, where only the one token that is read has a gradient, dz (B, D): the same numbers as
/// `block_back` gives for a fifth of the work, since all but attention acts on each token alone. Not for a mean of
/// tokens, post-norm, interventions, or kept activations.
Tensor2 last_block_back(const Pass& p, const BlockTrace& t, const Tensor2& z, const Tensor2& dz) {
    const float epsilon = p.config.layer_norm_epsilon;
    const bool normed = p.config.norm == Norm::before;
    BlockTrace rows, unused;
    rows.mlp.hidden = read_out(p.config, t.mlp.hidden);
    rows.mlp.activation = read_out(p.config, t.mlp.activation);
    rows.residual = read_out(p.config, t.residual);
    rows.ln2 = read_rows(p.config, t.ln2);
    Tensor2 d_residual = think_back(p, rows, rows.ln2.out, dz, unused);
    if (normed)
        d_residual = norm_back({p.weights.ln2, p.into.ln2, rows.ln2, rows.residual, epsilon}, p.gradients, d_residual);
    skip_back(p, dz, d_residual);
    Tensor2 dx = attend_back_from_read(p, t, t.ln1.out, d_residual);
    if (normed) dx = norm_back({p.weights.ln1, p.into.ln1, t.ln1, z, epsilon}, p.gradients, dx);
    if (p.config.skips) add_to_read_rows(p.config, dx, d_residual);
    return dx;
}

/// Eq. 4, back: from ∂logits to the gradient of what is read of each image (B, D).
Tensor2 head_back(const BackwardPass& pass, const Tensor2& logit_gradient, FlatWeights& gradients, HeadTrace& g) {
    const Weights& w = pass.model.weights;
    const Weights& into = gradients.weights();
    const Config& c = pass.model.config;
    const Tensor2 read = read_out(c, pass.trace.z(c.blocks));
    g.logits = logit_gradient;
    g.ln = linear_back(w.classifier, into.classifier, gradients, pass.trace.head->ln, logit_gradient);
    return norm_back({w.norm, into.norm, row_statistics(read), read, c.layer_norm_epsilon}, gradients, g.ln);
}

/// Eq. 1, back to its parameters.
void embedding_back(const BackwardPass& pass, const Editor& edit, Batch batch, FlatWeights& gradients,
                    EmbeddingTrace& g) {
    const Config& c = pass.model.config;
    const Weights& into = gradients.weights();
    const auto n = static_cast<std::size_t>(batch.tokens), images = static_cast<std::size_t>(batch.images);
    const std::size_t features = columns_of(g.z), values = n * features;

    Tensor2 d_position = tensor2(n, features);
    std::fill_n(d_position.data(), values, 0.0F);
    for (std::size_t b = 0; b < images; ++b)
        for (std::size_t i = 0; i < values; ++i) d_position.data()[i] += g.z.data()[b * values + i];
    edit.adjoint(Site::position, 0, d_position);
    if (c.positions && !into.position.empty()) std::copy_n(d_position.data(), values, gradients.at(into.position));

    g.tokens = g.z;
    edit.adjoint(Site::tokens, 0, g.tokens);
    std::vector<float> d_class(features, 0.0F);
    g.patch_embedding = tensor2(images * static_cast<std::size_t>(c.patches()), features);
    const std::size_t extra = static_cast<std::size_t>(c.extra_tokens()) * features;
    for (std::size_t b = 0; b < images; ++b) {
        const float* const rows = g.tokens.data() + b * values;
        for (std::size_t i = 0; i < extra; ++i) d_class[i] += rows[i];
        std::copy_n(rows + extra, values - extra, g.patch_embedding.data() + b * (values - extra));
    }
    if (!into.class_token.empty()) std::copy_n(d_class.data(), features, gradients.at(into.class_token));
    edit.adjoint(Site::patches, 0, g.patch_embedding);
    weight_gradients(into.patch_embedding, gradients,
                     patches_as_rows(pass.trace.embedding->image, c.channels, c.patch_size), g.patch_embedding);
}

}  // namespace

Trace backward(const BackwardPass& pass, const Tensor2& logit_gradient, FlatWeights& gradients) {
    const Config& c = pass.model.config;
    const Batch batch{static_cast<int>(rows_of(pass.trace.embedding->z)) / c.tokens(), c.tokens()};
    assert(rows_of(logit_gradient) == static_cast<std::size_t>(batch.images));
    const Editor edit(pass.interventions, batch);
    std::fill(gradients.values().begin(), gradients.values().end(), 0.0F);  // parts that the pass did not use have none

    Trace kept;
    std::vector<std::shared_ptr<const BlockTrace>> backwards;  // from the last block on
    auto head = std::make_shared<HeadTrace>();
    const Tensor2 d_read = head_back(pass, logit_gradient, gradients, *head);
    const bool short_cut =
        read_tokens(c).one() && pass.keep == Keep::parameters && pass.interventions.empty() && c.norm != Norm::after;
    Tensor2 dz = read_out_back(c, d_read);
    for (int block = c.blocks; block >= 1; --block) {
        const auto i = static_cast<std::size_t>(block - 1);
        const Pass p{c, pass.model.weights.blocks[i], gradients.weights().blocks[i], gradients, block, batch, edit};
        auto of_block = std::make_shared<BlockTrace>();
        const auto t = pass.trace.block(block);
        const Tensor2& z = pass.trace.z(block - 1);
        dz = short_cut && block == c.blocks ? last_block_back(p, *t, z, d_read)
                                            : block_back(p, *t, z, std::move(dz), *of_block);
        if (pass.keep == Keep::activations) backwards.push_back(std::move(of_block));
    }
    auto embedding = std::make_shared<EmbeddingTrace>();
    embedding->z = std::move(dz);
    embedding_back(pass, edit, batch, gradients, *embedding);
    if (pass.keep == Keep::activations) {
        std::for_each(backwards.rbegin(), backwards.rend(), [&](auto& block) { kept.add_block(std::move(block)); });
        kept.embedding = std::move(embedding);
        kept.head = std::move(head);
    }
    return kept;
}

void backward_through_blocks(const BackwardPass& pass, const Tensor2& logit_gradient, int first,
                             const BlockVisitor& visit) {
    const Config& c = pass.model.config;
    const Batch batch{static_cast<int>(rows_of(pass.trace.embedding->z)) / c.tokens(), c.tokens()};
    assert(rows_of(logit_gradient) == static_cast<std::size_t>(batch.images));
    const Editor edit(pass.interventions, batch);
    FlatWeights unwanted(c, FlatWeights::Room::nothing);

    HeadTrace head;
    const Tensor2 d_read = head_back(pass, logit_gradient, unwanted, head);
    Tensor2 dz = read_out_back(c, d_read);
    for (int block = c.blocks; block >= first; --block) {
        const auto i = static_cast<std::size_t>(block - 1);
        const Pass p{c, pass.model.weights.blocks[i], unwanted.weights().blocks[i], unwanted, block, batch, edit};
        BlockTrace of_block;
        dz = block_back(p, *pass.trace.block(block), pass.trace.z(block - 1), std::move(dz), of_block);
        visit(block, of_block);
    }
}

}  // namespace vitrine
