#include "core/transformer/attention.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "core/tensor/matmul.h"
#include "core/transformer/backward_layers.h"
#include "core/transformer/token_rows.h"

namespace vitrine {

namespace {

using Into = Product::Into;

/// Of what keys and values come from.
Batch batch_of(const Layer& layer, const Attended& to) {
    if (to.memory == nullptr) return layer.batch;
    return {layer.batch.sequences, static_cast<int>(rows_of(*to.memory)) / layer.batch.sequences};
}

/// scores (B·h, N, N_k) + mask, the same for all heads of a sequence.
void add_mask(const Tensor3* mask, Batch batch, Tensor3& scores) {
    if (mask == nullptr) return;
    const std::size_t matrices = scores.shape()[0], size = scores.shape()[1] * scores.shape()[2];
    const std::size_t heads = matrices / static_cast<std::size_t>(batch.sequences), masks = mask->shape()[0];
    assert(mask->size() == masks * size && (masks == 1 || masks * heads == matrices));
    for (std::size_t m = 0; m < matrices; ++m) {
        const float* const hidden = mask->data() + (masks == 1 ? 0 : m / heads * size);
        float* const s = scores.data() + m * size;
        for (std::size_t i = 0; i < size; ++i) s[i] += hidden[i];
    }
}

/// Rows and columns of every head's matrix change places.      (B·h, N, N_k)  ->  (B·h, N_k, N)
Tensor3 transposed(const Tensor3& t) {
    const std::size_t heads = t.shape()[0], rows = t.shape()[1], columns = t.shape()[2];
    Tensor3 out = tensor3(heads, columns, rows);
    for (std::size_t i = 0; i < heads; ++i)
        for (std::size_t row = 0; row < rows; ++row)
            for (std::size_t column = 0; column < columns; ++column) out(i, column, row) = t(i, row, column);
    return out;
}

/// The attention of the scores, over the keys of each query; by mistake over the queries of each key.
Tensor3 soften(const Layer& layer, const Tensor3& scores) {
    if (!layer.edit.has<OverQueries>(layer.block)) return softmax(scores);
    return transposed(softmax(transposed(scores)));
}
Tensor3 soften_back(const Layer& layer, const Tensor3& attention, const Tensor3& gradient) {
    if (!layer.edit.has<OverQueries>(layer.block)) return softmax_back(attention, gradient);
    return transposed(softmax_back(transposed(attention), transposed(gradient)));
}

/// softmax(scores) · V of every head, back:  ∂V = Aᵀ ∂O,  ∂A = ∂O Vᵀ,  ∂S = A ⊙ (∂A − Σ ∂A ⊙ A),  ∂Q = ∂S K/√d,
/// ∂K = ∂Sᵀ Q/√d. Where a mask hides a key, A and so ∂S are 0.
void heads_back(const Layer& layer, const AttentionTrace& t, AttentionTrace& g) {
    const std::size_t heads = t.q.shape()[0], n = t.q.shape()[1], n_k = t.k.shape()[1], d = t.q.shape()[2];
    g.v = tensor3(heads, n_k, d);
    g.attention = tensor3(heads, n, n_k);
    multiply({.a = view(t.attention), .b = view(g.heads), .transpose_a = Transpose::yes, .count = heads}, g.v.data());
    multiply({.a = view(g.heads), .b = view(t.v), .transpose_b = Transpose::yes, .count = heads}, g.attention.data());
    layer.edit.adjoint(Site::attention, layer.block, g.attention);

    // What an intervention did to the weights, the softmax did not know.
    const bool edited = layer.edit.acts(Site::attention, layer.block);
    const Tensor3 softened = edited ? soften(layer, t.scores) : Tensor3();
    g.scores = soften_back(layer, edited ? softened : t.attention, g.attention);
    g.q = tensor3(heads, n, d);
    layer.edit.adjoint(Site::scores, layer.block, g.scores, &g.q);

    g.k = tensor3(heads, n_k, d);
    const float scale = 1.0F / std::sqrt(static_cast<float>(d));
    multiply({.a = view(g.scores), .b = view(t.k), .alpha = scale, .count = heads}, g.q.data());
    multiply({.a = view(g.scores), .b = view(t.q), .transpose_a = Transpose::yes, .alpha = scale, .count = heads},
             g.k.data());
    layer.edit.adjoint(Site::v, layer.block, g.v, &g.q);
    layer.edit.adjoint(Site::k, layer.block, g.k, &g.q);
    layer.edit.adjoint(Site::q, layer.block, g.q);
    for (Tensor3* const cut : {&g.q, &g.k, &g.v}) layer.edit.adjoint(Site::slices, layer.block, *cut);
}

}  // namespace

Tensor3 causal_mask(int tokens) {
    const auto n = static_cast<std::size_t>(tokens);
    Tensor3 mask = tensor3(1, n, n);
    for (std::size_t query = 0; query < n; ++query)
        for (std::size_t key = 0; key < n; ++key)
            mask(0, query, key) = key <= query ? 0.0F : -std::numeric_limits<float>::infinity();
    return mask;
}

void attend(const Layer& layer, const AttentionWeights& w, const Tensor2& x, AttentionTrace& t, const Attended& to) {
    const auto& [c, block, batch, edit] = layer;
    const Tensor2& m = to.memory == nullptr ? x : *to.memory;
    const Batch keys = batch_of(layer, to);
    // clang-format off
    t.q = split_heads(linear(w.query, x), batch, c.heads);              edit(Site::slices, block, t.q);
    t.k = split_heads(linear(w.key, m), keys, c.heads);                 edit(Site::slices, block, t.k);
    t.v = split_heads(linear(w.value, m), keys, c.heads);               edit(Site::slices, block, t.v);
    edit(Site::q, block, t.q);
    edit(Site::k, block, t.k, &t.q);
    edit(Site::v, block, t.v, &t.q);
    t.scores = attention_scores(t.q, t.k);                              edit(Site::scores, block, t.scores, &t.q);
    add_mask(to.mask, batch, t.scores);
    t.attention = soften(layer, t.scores);                              edit(Site::attention, block, t.attention);
    t.heads = weighted_values(t.attention, t.v);                        edit(Site::heads, block, t.heads);
    t.msa = linear(w.projection, merge_heads(t.heads, batch));          edit(Site::msa, block, t.msa);
    // clang-format on
}

Tensor2 attend_back(const AttentionBack& a, Tensor2 d_msa, AttentionTrace& g) {
    const auto& [w, into, gradients] = a.learned;
    const auto& [c, block, batch, edit] = a.layer;
    edit.adjoint(Site::msa, block, d_msa);
    const Tensor2 merged = merge_heads(a.trace.heads, batch);
    g.heads = split_heads(linear_back(w.projection, into.projection, gradients, merged, d_msa), batch, c.heads);
    edit.adjoint(Site::heads, block, g.heads);
    heads_back(a.layer, a.trace, g);
    g.msa = std::move(d_msa);

    Tensor2 dx = linear_back(w.query, into.query, gradients, a.x, merge_heads(g.q, batch));
    const Tensor2& m = a.to.memory == nullptr ? a.x : *a.to.memory;
    Tensor2* const dm = a.to.memory == nullptr ? &dx : a.memory_gradient;
    const Batch keys = batch_of(a.layer, a.to);
    const Tensor2 d_keys = merge_heads(g.k, keys), d_values = merge_heads(g.v, keys);
    weight_gradients(into.key, gradients, m, d_keys);
    weight_gradients(into.value, gradients, m, d_values);
    if (dm == nullptr) return dx;
    input_gradient(w.key, d_keys, *dm, Into::sum);
    input_gradient(w.value, d_values, *dm, Into::sum);
    return dx;
}

Tensor2 attend_back_from(int read, const AttentionBack& a, const Tensor2& d_msa) {
    assert(a.to.memory == nullptr);
    const auto& [w, into, gradients] = a.learned;
    const auto& [c, block, batch, edit] = a.layer;
    const AttentionTrace& t = a.trace;
    const std::size_t heads = t.q.shape()[0], n = t.q.shape()[1], d = t.q.shape()[2];
    const float scale = 1.0F / std::sqrt(static_cast<float>(d));
    const Batch rows{batch.sequences, 1};
    const Tensor2 d_merged =
        linear_back(w.projection, into.projection, gradients, merge_heads(token_row(t.heads, read), rows), d_msa);
    const Tensor3 d_heads = split_heads(d_merged, rows, c.heads), attention = token_row(t.attention, read),
                  q = token_row(t.q, read);

    Tensor3 d_v = tensor3(heads, n, d), d_k = tensor3(heads, n, d), d_q = tensor3(heads, 1, d);
    Tensor3 d_attention = tensor3(heads, 1, n);
    multiply({.a = view(attention), .b = view(d_heads), .transpose_a = Transpose::yes, .count = heads}, d_v.data());
    multiply({.a = view(d_heads), .b = view(t.v), .transpose_b = Transpose::yes, .count = heads}, d_attention.data());
    const Tensor3 d_scores = softmax_back(attention, d_attention);
    multiply({.a = view(d_scores), .b = view(t.k), .alpha = scale, .count = heads}, d_q.data());
    multiply({.a = view(d_scores), .b = view(q), .transpose_a = Transpose::yes, .alpha = scale, .count = heads},
             d_k.data());

    const Tensor2 k_rows = merge_heads(d_k, batch), v_rows = merge_heads(d_v, batch), q_rows = merge_heads(d_q, rows);
    Tensor2 dx = linear_back(w.key, into.key, gradients, a.x, k_rows);
    weight_gradients(into.value, gradients, a.x, v_rows);
    input_gradient(w.value, v_rows, dx, Into::sum);
    add_to_token_row(dx, read, linear_back(w.query, into.query, gradients, token_row(a.x, batch, read), q_rows));
    return dx;
}

}  // namespace vitrine
