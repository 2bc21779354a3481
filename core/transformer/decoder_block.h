#pragma once

#include "core/transformer/attention.h"
#include "core/transformer/mlp.h"

namespace vitrine {

/// What a decoder block has learned; without an encoder there is no `cross` and no `ln2`.
struct DecoderWeights : MlpWeights {
    AttentionWeights self, cross;
    LayerNormWeights ln1, ln2, ln3;  // of self-attention, cross-attention, MLP

    bool crosses() const { return !cross.query.weight.empty(); }
};

enum class Crossing { no, yes };
DecoderWeights lay_out_decoder(const TransformerConfig& config, Crossing crossing, const MakeParameter& make);

/// Every activation of a decoder block, in the order they are computed.
struct DecoderTrace {
    LayerNormTrace ln1;
    AttentionTrace self;  // masked
    Tensor2 residual;     // (B·N, D)  behind self-attention's sum, or the norm of that
    LayerNormTrace ln2;
    AttentionTrace cross;  // q of the target, k and v of the memory: (B·h, N, N_k); empty without a memory
    Tensor2 crossed;       // (B·N, D)  behind cross-attention's sum; without a memory what `residual` is
    LayerNormTrace ln3;
    MlpTrace mlp;
    std::shared_ptr<const Tensor2> z = std::make_shared<Tensor2>();  // (B·N, D)
};

/// What a decoder block reads.
struct DecoderInput {
    const Tensor2& z;                      // (B·N, D)
    const Tensor2* memory = nullptr;       // (B·N_k, D): the encoder's output; none for a language model
    Batch memory_batch = {};               // of its rows
    bool causal = true;                    // whether nobody sees what comes later
    KeyValueCache* self_cache = nullptr;   // of the words before these
    KeyValueCache* cross_cache = nullptr;  // of the memory
};

/// One decoder block (Vaswani et al. 2017, § 3.1), each branch with its norm and its residual connection:
///
///   z' = masked MSA of z,  z'' = MSA from z' to the memory,  z''' = MLP of z''
///
///   z (B·N, D)  ->  every activation of block ℓ; its `z` (B·N, D) feeds the next one
DecoderTrace decoder_block(const Layer& layer, const DecoderWeights& w, const DecoderInput& in);

/// A decoder block that has run, to be gone back through.
struct DecoderBack {
    const Layer& layer;
    Learned<DecoderWeights> learned;
    const DecoderTrace& trace;
    DecoderInput in;
    Tensor2* memory_gradient = nullptr;  // (B·N_k, D): grows by ∂memory
};

/// From ∂zℓ to ∂zℓ₋₁ (B·N, D). The gradients of its activations come to `g`.
Tensor2 decoder_block_back(const DecoderBack& b, Tensor2 dz, DecoderTrace& g);

}  // namespace vitrine
