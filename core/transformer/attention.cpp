#include "core/transformer/attention.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "core/tensor/matmul.h"
#include "core/transformer/attention_places.h"
#include "core/transformer/backward_layers.h"
#include "core/transformer/packed_heads.h"
#include "core/transformer/token_rows.h"

namespace vitrine {

namespace {

using Into = Product::Into;

/// The sequences and tokens of the keys and values.
Batch batch_of(const Layer& layer, const Attended& to) {
    if (to.memory == nullptr) return layer.batch;
    if (to.memory_batch.tokens > 0) return to.memory_batch;
    return {layer.batch.sequences, static_cast<int>(rows_of(*to.memory)) / layer.batch.sequences};
}

/// The keys that queries may see among `keys`, including cached ones.
VisibleKeys sight_of(const Layer& layer, const Attended& to, std::size_t keys) {
    VisibleKeys sight{layer.batch, batch_of(layer, to), layer.edit.equations(layer.config, layer.block).look_ahead};
    if (to.causal && !sight.ahead) sight.ahead = 0;
    if (to.memory == nullptr && to.cache != nullptr) {
        sight.first = static_cast<int>(keys) - layer.batch.tokens;
        sight.keys = {layer.batch.sequences, static_cast<int>(keys)};
    }
    return sight;
}

/// Concatenates the matrices of two tensors.      (B·h, N, d), (B·h, M, d)  ->  (B·h, N + M, d)
Tensor3 joined(const Tensor3& a, const Tensor3& b) {
    const std::size_t heads = b.shape()[0], d = b.shape()[2], n = a.shape()[1], m = b.shape()[1];
    Tensor3 out = tensor3(heads, n + m, d);
    for (std::size_t i = 0; i < heads; ++i) {
        std::copy_n(a.data() + i * n * d, n * d, &out(i, 0, 0));
        std::copy_n(b.data() + i * m * d, m * d, &out(i, n, 0));
    }
    return out;
}

/// Prepends the cached keys and values, and stores all of them in the cache.
void remember(KeyValueCache& cache, Tensor3& k, Tensor3& v) {
    if (cache.tokens > 0) {
        k = joined(cache.k, k);
        v = joined(cache.v, v);
    }
    cache.tokens = static_cast<int>(k.shape()[1]);
    cache.k = k;
    cache.v = v;
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

/// Transposes every head's matrix.      (B·h, N, N_k)  ->  (B·h, N_k, N)
Tensor3 transposed(const Tensor3& t) {
    const std::size_t heads = t.shape()[0], rows = t.shape()[1], columns = t.shape()[2];
    Tensor3 out = tensor3(heads, columns, rows);
    for (std::size_t i = 0; i < heads; ++i)
        for (std::size_t row = 0; row < rows; ++row)
            for (std::size_t column = 0; column < columns; ++column) out(i, column, row) = t(i, row, column);
    return out;
}

/// Sets to 0 the weights of queries from which what-ifs hide every key.
void blank_without_keys(const Layer& layer, const Tensor3& scores, Tensor3& attention) {
    if (!layer.edit.acts(Site::scores, layer.block)) return;
    const std::size_t keys = scores.shape()[2];
    for (std::size_t row = 0; row < scores.size(); row += keys) {
        const std::span<const float> own(scores.data() + row, keys);
        if (*std::ranges::max_element(own) == -std::numeric_limits<float>::infinity())
            std::fill_n(attention.data() + row, keys, 0.0F);
    }
}

/// Attention from scores: softmax over each query's keys or, as a deliberate mistake, over each key's queries.
Tensor3 softmax_rows(const Layer& layer, const VisibleKeys& sight, const Tensor3& scores) {
    if (!layer.edit.equations(layer.config, layer.block).over_queries) {
        Tensor3 attention = sight.hides() ? masked_softmax(sight, scores) : softmax(scores);
        blank_without_keys(layer, scores, attention);
        return attention;
    }
    Tensor3 attention = transposed(softmax(transposed(scores)));
    if (sight.hides()) blank(sight, attention);
    return attention;
}
Tensor3 softmax_rows_backward(const Layer& layer, const VisibleKeys& sight, const Tensor3& attention,
                              const Tensor3& gradient) {
    if (!layer.edit.equations(layer.config, layer.block).over_queries)
        return sight.hides() ? masked_softmax_back(sight, attention, gradient) : softmax_back(attention, gradient);
    return transposed(softmax_back(transposed(attention), transposed(gradient)));
}

/// Matrix products of all heads: by a library or, for packed sentences, by our kernel for small matrices.
struct Heads {
    const VisibleKeys& sight;
    std::size_t d;

    Tensor3 product(const HeadsProduct& p) const {
        if (sight.queries.packed()) return multiply_heads(p, sight.queries.sequences);
        Tensor3 out = tensor3(p.a.shape()[0], p.rows.most, p.columns.most);
        multiply({.a = view(p.a),
                  .b = view(p.b),
                  .transpose_a = p.transpose_a,
                  .transpose_b = p.transpose_b,
                  .alpha = p.alpha,
                  .count = p.a.shape()[0]},
                 out.data());
        return out;
    }
    float scale() const { return 1.0F / std::sqrt(static_cast<float>(d)); }

    Tensor3 scores(const Tensor3& q, const Tensor3& k) const {
        if (!sight.queries.packed()) return attention_scores(q, k);
        return product({.a = q,
                        .b = k,
                        .transpose_b = Transpose::yes,
                        .rows = sight.queries,
                        .columns = sight.keys,
                        .inner = d,
                        .alpha = scale()});
    }
    Tensor3 values(const Tensor3& attention, const Tensor3& v) const {
        if (!sight.queries.packed()) return weighted_values(attention, v);
        return product({.a = attention, .b = v, .rows = sight.queries, .columns = d, .inner = sight.keys});
    }
    Tensor3 d_values(const Tensor3& attention, const Tensor3& d_heads) const {
        return product({.a = attention,
                        .b = d_heads,
                        .transpose_a = Transpose::yes,
                        .rows = sight.keys,
                        .columns = d,
                        .inner = sight.queries});
    }
    Tensor3 d_attention(const Tensor3& d_heads, const Tensor3& v) const {
        return product({.a = d_heads,
                        .b = v,
                        .transpose_b = Transpose::yes,
                        .rows = sight.queries,
                        .columns = sight.keys,
                        .inner = d});
    }
    Tensor3 d_queries(const Tensor3& d_scores, const Tensor3& k) const {
        return product(
            {.a = d_scores, .b = k, .rows = sight.queries, .columns = d, .inner = sight.keys, .alpha = scale()});
    }
    Tensor3 d_keys(const Tensor3& d_scores, const Tensor3& q) const {
        return product({.a = d_scores,
                        .b = q,
                        .transpose_a = Transpose::yes,
                        .rows = sight.keys,
                        .columns = d,
                        .inner = sight.queries,
                        .alpha = scale()});
    }
};

/// Adds ∂S of −scale · log A at the row's target key: A − 1 at that key, A elsewhere, times the scale.
void add_attention_loss(const AttentionTarget& row, const Tensor3& attention, Tensor3& d_scores) {
    for (std::size_t key = 0; key < attention.shape()[2]; ++key)
        d_scores(row.matrix, row.query, key) +=
            row.scale * (attention(row.matrix, row.query, key) - (key == row.key ? 1.0F : 0.0F));
}

/// Backward pass of softmax(scores) · V for every head:  ∂V = Aᵀ ∂O,  ∂A = ∂O Vᵀ,  ∂S = A ⊙ (∂A − Σ ∂A ⊙ A),  ∂Q = ∂S
/// K/√d,  ∂K = ∂Sᵀ Q/√d. A and ∂S are 0 for a key that a mask hides.
void heads_back(const AttentionBack& a, const VisibleKeys& sight, AttentionTrace& g) {
    const Layer& layer = a.layer;
    const AttentionTrace& t = a.trace;
    const Heads heads{sight, t.q.shape()[2]};
    g.v = heads.d_values(t.attention, g.heads);
    g.attention = heads.d_attention(g.heads, t.v);
    layer.edit.adjoint(Site::attention, layer.block, g.attention);

    // Edits of the weights act after the softmax, whose derivative needs the unedited weights.
    const bool edited = layer.edit.acts(Site::attention, layer.block);
    const Tensor3 shares = edited ? softmax_rows(layer, sight, t.scores) : Tensor3();
    g.scores = softmax_rows_backward(layer, sight, edited ? shares : t.attention, g.attention);
    for (const AttentionTarget& row : a.asked) add_attention_loss(row, t.attention, g.scores);
    g.q = Tensor3::from_shape(t.q.shape());
    position_bias_back(layer, a.learned, g.scores);
    layer.edit.adjoint(Site::scores, layer.block, g.scores, &g.q);

    g.q = heads.d_queries(g.scores, t.keys());
    g.k = heads.d_keys(g.scores, t.queries());
    place_back({layer, a.learned, t}, g.q, g.k, g);
    layer.edit.adjoint(Site::v, layer.block, g.v, &g.q);
    layer.edit.adjoint(Site::k, layer.block, g.k, &g.q);
    layer.edit.adjoint(Site::q, layer.block, g.q);
    for (Tensor3* const cut : {&g.q, &g.k, &g.v}) layer.edit.adjoint(Site::slices, layer.block, *cut);
}

/// Gradient of the table of position biases if only query `read` has a gradient.      d_scores (h, 1, N)
void position_bias_back_from(int read, const AttentionBack& a, const Tensor3& d_scores) {
    const std::size_t heads = d_scores.shape()[0], n = d_scores.shape()[2];
    Tensor3 all = tensor3(heads, n, n);
    std::fill(all.begin(), all.end(), 0.0F);
    for (std::size_t m = 0; m < heads; ++m)
        std::copy_n(&d_scores(m, 0, 0), n, &all(m, static_cast<std::size_t>(read), 0));
    position_bias_back(a.layer, a.learned, all);
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
    const auto& [c, block, batch, edit, places] = layer;
    const Tensor2& m = to.memory == nullptr ? x : *to.memory;
    const Batch keys = batch_of(layer, to);
    const bool known = to.memory != nullptr && to.cache != nullptr && to.cache->tokens > 0;
    // clang-format off
    t.q = split_heads(linear(w.query, x), batch, c.heads);              edit(Site::slices, block, t.q);
    if (known) {
        edit(Site::q, block, t.q);
        t.k = to.cache->k;
        t.v = to.cache->v;
    } else {
        t.k = split_heads(linear(w.key, m), keys, c.heads);             edit(Site::slices, block, t.k);
        t.v = split_heads(linear(w.value, m), keys, c.heads);           edit(Site::slices, block, t.v);
        edit(Site::q, block, t.q);
        edit(Site::k, block, t.k, &t.q);
        edit(Site::v, block, t.v, &t.q);
        if (to.cache != nullptr) remember(*to.cache, t.k, t.v);
    }
    const VisibleKeys sight = sight_of(layer, to, t.k.shape()[1]);
    const Heads heads{sight, t.q.shape()[2]};
    place_queries_and_keys(layer, w, t);
    t.scores = heads.scores(t.queries(), t.keys());                     edit(Site::scores, block, t.scores, &t.q);
    add_position_bias(layer, w, t.scores);
    add_mask(to.mask, batch, t.scores);
    if (sight.hides()) hide(sight, t.scores);
    t.attention = softmax_rows(layer, sight, t.scores);                 edit(Site::attention, block, t.attention);
    t.heads = heads.values(t.attention, t.v);                           edit(Site::heads, block, t.heads);
    t.msa = linear(w.projection, merge_heads(t.heads, batch));          edit(Site::msa, block, t.msa);
    // clang-format on
}

Tensor2 attend_back(const AttentionBack& a, Tensor2 d_msa, AttentionTrace& g) {
    const auto& [w, into, gradients] = a.learned;
    const auto& [c, block, batch, edit, places] = a.layer;
    edit.adjoint(Site::msa, block, d_msa);
    const Tensor2 merged = merge_heads(a.trace.heads, batch);
    g.heads = split_heads(linear_back(w.projection, into.projection, gradients, merged, d_msa), batch, c.heads);
    edit.adjoint(Site::heads, block, g.heads);
    heads_back(a, sight_of(a.layer, a.to, a.trace.k.shape()[1]), g);
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
    const auto& [c, block, batch, edit, places] = a.layer;
    const AttentionTrace& t = a.trace;
    const std::size_t heads = t.q.shape()[0], n = t.q.shape()[1], d = t.q.shape()[2];
    const float scale = 1.0F / std::sqrt(static_cast<float>(d));
    const Batch rows{batch.sequences, 1};
    const Tensor2 d_merged =
        linear_back(w.projection, into.projection, gradients, merge_heads(token_row(t.heads, read), rows), d_msa);
    const Tensor3 d_heads = split_heads(d_merged, rows, c.heads), attention = token_row(t.attention, read),
                  q = token_row(t.queries(), read);

    Tensor3 d_v = tensor3(heads, n, d), d_k = tensor3(heads, n, d), d_q = tensor3(heads, 1, d);
    Tensor3 d_attention = tensor3(heads, 1, n);
    multiply({.a = view(attention), .b = view(d_heads), .transpose_a = Transpose::yes, .count = heads}, d_v.data());
    multiply({.a = view(d_heads), .b = view(t.v), .transpose_b = Transpose::yes, .count = heads}, d_attention.data());
    const Tensor3 d_scores = softmax_back(attention, d_attention);
    multiply({.a = view(d_scores), .b = view(t.keys()), .alpha = scale, .count = heads}, d_q.data());
    multiply({.a = view(d_scores), .b = view(q), .transpose_a = Transpose::yes, .alpha = scale, .count = heads},
             d_k.data());
    AttentionTrace unused;
    place_back({a.layer, a.learned, t, read}, d_q, d_k, unused);
    if (!w.position_bias.empty()) position_bias_back_from(read, a, d_scores);

    const Tensor2 k_rows = merge_heads(d_k, batch), v_rows = merge_heads(d_v, batch), q_rows = merge_heads(d_q, rows);
    Tensor2 dx = linear_back(w.key, into.key, gradients, a.x, k_rows);
    weight_gradients(into.value, gradients, a.x, v_rows);
    input_gradient(w.value, v_rows, dx, Into::sum);
    add_to_token_row(dx, read, linear_back(w.query, into.query, gradients, token_row(a.x, batch, read), q_rows));
    return dx;
}

}  // namespace vitrine
