#pragma once

#include "core/transformer/attention.h"
#include "core/transformer/mlp.h"

namespace vitrine {

/// The inputs of a decoder block.
struct DecoderInput {
    const Tensor2& z;                      // (B·N, D)
    const Tensor2* memory = nullptr;       // (B·N_k, D): the encoder's output; none for a language model
    Batch memory_batch = {};               // of the memory's rows
    bool causal = true;                    // whether no token sees a later one
    KeyValueCache* self_cache = nullptr;   // of the words before these
    KeyValueCache* cross_cache = nullptr;  // of the memory
};

/// One decoder block (Vaswani et al. 2017, § 3.1), each branch with its norm and its residual connection:
///
///   z' = masked MSA of z,  z'' = MSA from z' to the memory,  z''' = MLP of z''
///
///   z (B·N, D)  ->  every activation of block ℓ; its `z` (B·N, D) feeds the next one
DecoderTrace decoder_block(const Layer& layer, const DecoderWeights& w, const DecoderInput& in);

/// The inputs of a decoder block's backward pass.
struct DecoderBack {
    const Layer& layer;
    Learned<DecoderWeights> learned;
    const DecoderTrace& trace;
    DecoderInput in;
    Tensor2* memory_gradient = nullptr;  // (B·N_k, D): ∂memory is added to it
};

/// From ∂zℓ to ∂zℓ₋₁ (B·N, D). Writes the gradients of the block's activations to `g`.
Tensor2 decoder_block_back(const DecoderBack& b, Tensor2 dz, DecoderTrace& g);

}  // namespace vitrine
