#pragma once

#include <optional>

#include "core/transformer/block_trace.h"
#include "core/transformer/block_weights.h"
#include "core/transformer/layer.h"

namespace vitrine {

// What queries and keys go through between their linear layers and the scores in attentions that have more than these:
// a norm of each row, a rotation by place; and what a pair of places adds to its score. Each does nothing in others.

/// Which features of a row of length d turn together, and how the second one's sign goes.
struct TurnedPair {
    int own, other;  // features
    int pair;        // 0 … d/2 − 1, a column of the angles
    float sign;      // own' = own · cos φ + sign · other · sin φ
};
TurnedPair turned_pair(const Rotary& rotary, int head_dim, int feature);

/// q and k -> the trace's normed and turned ones.
void place_queries_and_keys(const Layer& layer, const AttentionWeights& w, AttentionTrace& t);

/// scores (B·h, N, N) grow by each pair's entry of the table.
void add_position_bias(const Layer& layer, const AttentionWeights& w, Tensor3& scores);

/// From ∂ of the queries and keys in `queries()` and `keys()` to ∂q and ∂k; those between are stored in `g`. Adds up
/// the norms' gradients. With `read`, q and its gradient have one row, that of the token.
struct PlacesBack {
    const Layer& layer;
    const Learned<AttentionWeights>& learned;
    const AttentionTrace& trace;
    std::optional<int> read = {};
};
void place_back(const PlacesBack& p, Tensor3& d_q, Tensor3& d_k, AttentionTrace& g);

/// The table's gradient, from that of the scores.
void position_bias_back(const Layer& layer, const Learned<AttentionWeights>& learned, const Tensor3& d_scores);

}  // namespace vitrine
