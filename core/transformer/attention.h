#pragma once

#include <span>

#include "core/transformer/block_trace.h"
#include "core/transformer/block_weights.h"
#include "core/transformer/layer.h"

namespace vitrine {

/// The keys to which queries attend, if not all tokens of their own sequence.
struct Attended {
    /// (B·N_k, D): the rows that keys and values are computed from instead, for example the encoder's output.
    const Tensor2* memory = nullptr;
    /// (1, N, N_k) for all sequences, or (B, N, N_k): added to the scores of every head; 0, or −∞ for a key that the
    /// query must not see. Each query sees at least one key.
    const Tensor3* mask = nullptr;
    /// The batch of the memory's rows, if they are packed.
    Batch memory_batch = {};
    /// True if no query sees later tokens: the same result as `causal_mask`, without computing the hidden scores.
    bool causal = false;
    /// For self-attention, the keys and values of earlier rows, to which those of these rows are appended. For a
    /// memory, filled once, then read.
    KeyValueCache* cache = nullptr;
};

/// The mask of a decoder: no token sees a later one. (1, N, N)
Tensor3 causal_mask(int tokens);

/// MSA(x):  q = x W_Q, k = m W_K, v = m W_V with m = x or the memory; heads = softmax(qkᵀ/√d + mask) v;  [heads] W_O.
/// In models with these parts, q and k are normalised row by row, then rotated by position, and a table of relative
/// positions is added to the scores. Vaswani et al. 2017, Eq. 1 and § 3.2.2; ViT paper, Eqs. 5 to 8.
///
///   x (B·N, D)  ->  the trace's q … msa
///
/// Each activation passes through `layer.edit`, so a line is both the equation and the place where a what-if acts.
void attend(const Layer& layer, const AttentionWeights& w, const Tensor2& x, AttentionTrace& t,
            const Attended& to = {});

/// The inputs of the backward pass of an attention layer.
struct AttentionBack {
    const Layer& layer;
    Learned<AttentionWeights> learned;
    const AttentionTrace& trace;
    const Tensor2& x;
    Attended to = {};
    Tensor2* memory_gradient = nullptr;           // (B·N_k, D): ∂memory is added to it
    std::span<const AttentionTarget> asked = {};  // rows with an additional loss; no intervention may act on them
};

/// ∂msa (B·N, D) -> ∂x (B·N, D). Writes the gradients of the layer's activations to `g`.
Tensor2 attend_back(const AttentionBack& a, Tensor2 d_msa, AttentionTrace& g);

/// The same if only one token of each sequence has a gradient at its output: the same numbers for a fifth of the work.
/// Only for self-attention without interventions; the gradients of its activations are not kept.
///
///   d_msa (B, D), of token `read`  ->  ∂x (B·N, D)
Tensor2 attend_back_from(int read, const AttentionBack& a, const Tensor2& d_msa);

}  // namespace vitrine
