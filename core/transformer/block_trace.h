#pragma once

#include <memory>
#include <span>

#include "core/tensor/ops.h"
#include "core/tensor/tensor.h"

namespace vitrine {

// Every activation of a block, in the order they are computed; a dump uses these names. B sequences, N tokens each.

struct AttentionTrace {
    Tensor3 q, k, v;    // (B·h, N, d); k and v of a memory (B·h, N_k, d)
    Tensor3 scores;     // (B·h, N, N)  QKᵀ/√d, −∞ where a mask hides the key  [head, query, key]
    Tensor3 attention;  // (B·h, N, N)  softmax(scores)  [head, query, key]
    Tensor3 heads;      // (B·h, N, d)  attention · V
    Tensor2 msa;        // (B·N, D)     after W_O
};

struct MlpTrace {
    Tensor2 hidden;      // (B·N, M)  before the activation
    Tensor2 activation;  // (B·N, M)  after it
    Tensor2 out;         // (B·N, D)  after the second linear layer
};

/// The attention row of a query of the first sequence. (N), sums to 1
std::span<const float> attention_row(const AttentionTrace& t, int head, int query);

/// A row of attention with a loss of its own: −log A[matrix, query, key], times a scale.
struct AskedRow {
    std::size_t matrix = 0, query = 0, key = 0;  // of A (B·h, N, N_k)
    float scale = 0;
};

/// Trace of an encoder block.
struct BlockTrace : AttentionTrace {
    LayerNormTrace ln1;
    Tensor2 residual;  // (B·N, D)     z'ℓ, Eq. 2
    LayerNormTrace ln2;
    MlpTrace mlp;
    std::shared_ptr<const Tensor2> z = std::make_shared<Tensor2>();  // (B·N, D)  zℓ, Eq. 3; a trace keeps it longer
};

/// Trace of a decoder block.
struct DecoderTrace {
    LayerNormTrace ln1;
    AttentionTrace self;  // masked
    Tensor2 residual;     // (B·N, D)  after self-attention's sum, or its norm
    LayerNormTrace ln2;
    AttentionTrace cross;  // q of the target, k and v of the memory: (B·h, N, N_k); empty without a memory
    Tensor2 crossed;       // (B·N, D)  after cross-attention's sum; without a memory equal to `residual`
    LayerNormTrace ln3;
    MlpTrace mlp;
    std::shared_ptr<const Tensor2> z = std::make_shared<Tensor2>();  // (B·N, D)
};

/// The keys and values of earlier tokens, kept so that they are not computed again: a decoder that generates text runs
/// one row at a time.
struct KeyValueCache {
    Tensor3 k, v;    // (B·h, N, d)
    int tokens = 0;  // N, 0 at first
};

}  // namespace vitrine
