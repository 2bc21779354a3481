#pragma once

#include <span>

#include "core/transformer/block_trace.h"
#include "core/transformer/block_weights.h"
#include "core/transformer/layer.h"

namespace vitrine {

/// What queries look at, where that is not every token of their own sequence.
struct Attended {
    /// (B·N_k, D): keys and values come from here instead, as a decoder's from the encoder's output.
    const Tensor2* memory = nullptr;
    /// (1, N, N_k) for all sequences, or (B, N, N_k): is added to the scores of every head, 0 or −∞ for a key that the
    /// query must not see. A query sees one key at least.
    const Tensor3* mask = nullptr;
    /// Of the memory's rows, where they are packed.
    Batch memory_batch = {};
    /// Whether a query sees nothing that comes after it: the same as `causal_mask`, without the work for what is
    /// hidden.
    bool causal = false;
    /// Of self-attention: what came before these rows; it grows by them. Of a memory: filled once, then read.
    KeyValueCache* cache = nullptr;
};

/// The mask of a decoder: nobody sees what comes later.      (1, N, N)
Tensor3 causal_mask(int tokens);

/// MSA(x):  q = x W_Q, k = m W_K, v = m W_V with m = x or the memory; heads = softmax(qkᵀ/√d + mask) v;  [heads] W_O.
/// Vaswani et al. 2017, Eq. 1 and § 3.2.2; ViT paper, Eqs. 5 to 8.
///
///   x (B·N, D)  ->  the trace's q … msa
///
/// Each activation passes through `layer.edit`, so a line is both the equation and the place where a what-if acts.
void attend(const Layer& layer, const AttentionWeights& w, const Tensor2& x, AttentionTrace& t,
            const Attended& to = {});

/// An attention layer that has run, to be gone back through.
struct AttentionBack {
    const Layer& layer;
    Learned<AttentionWeights> learned;
    const AttentionTrace& trace;
    const Tensor2& x;
    Attended to = {};
    Tensor2* memory_gradient = nullptr;    // (B·N_k, D): grows by ∂memory
    std::span<const AskedRow> asked = {};  // no interventions on these scores
};

/// ∂msa (B·N, D)  ->  ∂x (B·N, D). The gradients of its activations come to `g`.
Tensor2 attend_back(const AttentionBack& a, Tensor2 d_msa, AttentionTrace& g);

/// The same where one token of each sequence alone has a gradient of its output: a fifth of the work, and the same
/// numbers. Self-attention without interventions and kept activations.
///
///   d_msa (B, D), of token `read`  ->  ∂x (B·N, D)
Tensor2 attend_back_from(int read, const AttentionBack& a, const Tensor2& d_msa);

}  // namespace vitrine
