#pragma once

#include <optional>

#include "core/tensor/matmul.h"
#include "core/tensor/tensor.h"

namespace vitrine {

/// The keys visible to each query: all of its sentence, or those up to a position.
struct VisibleKeys {
    Batch queries, keys;
    std::optional<int> ahead = {};  // tokens beyond itself that a query sees: 0 for a causal mask; none: all
    int first = 0;                  // position of the first query among the keys

    /// True if some entries in a tensor of scores are hidden.
    bool hides() const { return ahead || queries.packed() || keys.packed(); }
    /// The number of keys that a query sees, from the first on; at least one.
    int seen(int sequence, int query) const;
};

/// Sets hidden scores to −∞.      scores (B·h, N, N_k)
void hide(const VisibleKeys& sight, Tensor3& scores);

/// Sets hidden weights to 0.      attention (B·h, N, N_k)
void blank(const VisibleKeys& sight, Tensor3& attention);

/// Softmax over the keys that each query sees, 0 elsewhere.      (B·h, N, N_k)
Tensor3 masked_softmax(const VisibleKeys& sight, const Tensor3& scores);

/// ∂S = A ⊙ (∂A − Σ ∂A ⊙ A) over the keys that a query sees, 0 elsewhere.      (B·h, N, N_k)
Tensor3 masked_softmax_back(const VisibleKeys& sight, const Tensor3& attention, const Tensor3& gradient);

/// Number of rows, or of columns, of each sentence's matrices: the sentence's length, or one number for all.
struct Extent {
    std::size_t most = 0;  // of the longest sentence
    std::span<const int> lengths = {};

    Extent(std::size_t same) : most(same) {}
    Extent(Batch batch) : most(static_cast<std::size_t>(batch.tokens)), lengths(batch.lengths) {}
    std::size_t of(std::size_t sequence) const {
        return lengths.empty() ? most : static_cast<std::size_t>(lengths[sequence]);
    }
};

/// C = α · op(A) · op(B) for each head of each sentence, up to the sentence's length; 0 beyond. A, B and C have one
/// matrix for each head of each sentence: (sequences · h, rows, columns).
struct HeadsProduct {
    const Tensor3& a;
    const Tensor3& b;
    Transpose transpose_a = Transpose::no, transpose_b = Transpose::no;
    Extent rows, columns, inner;  // of C; the summed dimension
    float alpha = 1.0F;
};
Tensor3 multiply_heads(const HeadsProduct& product, int sequences);

}  // namespace vitrine
