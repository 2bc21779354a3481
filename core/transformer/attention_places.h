#pragma once

#include <optional>

#include "core/transformer/block_trace.h"
#include "core/transformer/block_weights.h"
#include "core/transformer/layer.h"

namespace vitrine {

// Steps between the linear layers of q and k and the scores that only some models have: a norm of each row, a rotation
// by position, and a bias for each pair of positions. In other models each does nothing.

/// Two features of a row of length d that a rotation turns together, and the sign of the second one's term.
struct TurnedPair {
    int own, other;  // features
    int pair;        // 0 … d/2 − 1, a column of the angles
    float sign;      // own' = own · cos φ + sign · other · sin φ
};
TurnedPair turned_pair(const Rotary& rotary, int head_dim, int feature);

/// Sets the trace's normalised and rotated q and k, if the model has them.
void place_queries_and_keys(const Layer& layer, const AttentionWeights& w, AttentionTrace& t);

/// Adds to the scores (B·h, N, N) each pair's entry in the table of position biases.
void add_position_bias(const Layer& layer, const AttentionWeights& w, Tensor3& scores);

/// Turns the gradients of `queries()` and `keys()` into those of q and k; stores the intermediate gradients in `g`, and
/// overwrites those of the norms' parameters. With `read`, q and its gradient have one row, the token's.
struct PlacesBack {
    const Layer& layer;
    const Learned<AttentionWeights>& learned;
    const AttentionTrace& trace;
    std::optional<int> read = {};
};
void place_back(const PlacesBack& p, Tensor3& d_q, Tensor3& d_k, AttentionTrace& g);

/// Sets the gradient of the table of position biases, from that of the scores (B·h, N, N).
void position_bias_back(const Layer& layer, const Learned<AttentionWeights>& learned, const Tensor3& d_scores);

}  // namespace vitrine
