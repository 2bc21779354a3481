#pragma once

#include <optional>

#include "core/tensor/matmul.h"
#include "core/tensor/tensor.h"

namespace vitrine {

/// Which keys each query sees: all of its sentence's, or those up to a place.
struct Sight {
    Batch queries, keys;
    std::optional<int> ahead = {};  // tokens beyond itself that a query sees: 0 for a causal mask; none: all
    int first = 0;                  // the place among the keys of the first query

    /// Whether there is anything in a tensor of scores that is no score.
    bool hides() const { return ahead || queries.packed() || keys.packed(); }
    /// The keys that a query sees, counted from the first; one at least.
    int seen(int sequence, int query) const;
};

/// −∞ wherever a query does not see the key.      scores (B·h, N, N_k)
void hide(const Sight& sight, Tensor3& scores);

/// 0 there.
void blank(const Sight& sight, Tensor3& attention);

/// Each query's softmax over the keys that it sees, 0 elsewhere.      (B·h, N, N_k)
Tensor3 softmax_of_seen(const Sight& sight, const Tensor3& scores);

/// ∂S = A ⊙ (∂A − Σ ∂A ⊙ A) over the keys that a query sees, 0 elsewhere.
Tensor3 softmax_of_seen_back(const Sight& sight, const Tensor3& attention, const Tensor3& gradient);

/// How many rows or columns the matrices of a sentence have: as many as it has tokens, or the same for all.
struct Extent {
    std::size_t most = 0;
    std::span<const int> lengths = {};

    Extent(std::size_t same) : most(same) {}
    Extent(Batch batch) : most(static_cast<std::size_t>(batch.tokens)), lengths(batch.lengths) {}
    std::size_t of(std::size_t sequence) const {
        return lengths.empty() ? most : static_cast<std::size_t>(lengths[sequence]);
    }
};

/// C = α · op(A) · op(B) for each head of each sentence, as long as the sentence is; 0 beyond.
struct HeadsProduct {
    const Tensor3& a;
    const Tensor3& b;
    Transpose transpose_a = Transpose::no, transpose_b = Transpose::no;
    Extent rows, columns, inner;  // of C, and what is summed over
    float alpha = 1.0F;
};
Tensor3 multiply_heads(const HeadsProduct& product, int sequences);

}  // namespace vitrine
