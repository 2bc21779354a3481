#pragma once

#include "core/transformer/attention.h"
#include "core/transformer/mlp.h"

namespace vitrine {

/// One encoder block:  z' = MSA(LN(z)) + z,  then  MLP(LN(z')) + z'.   ViT paper, Eqs. 2 and 3. Post-norm, as in the
/// original Transformer:  z' = LN(MSA(z) + z),  then  LN(MLP(z') + z').
///
///   z (B·N, D)  ->  every activation of block ℓ; its `z` (B·N, D) feeds the next one
///
/// `mask` as in `Attended`.
BlockTrace encoder_block(const Layer& layer, const BlockWeights& w, const Tensor2& z, const Tensor3* mask = nullptr);

/// The inputs of an encoder block's backward pass; z is the block's input.
struct BlockBack {
    const Layer& layer;
    Learned<BlockWeights> learned;
    const BlockTrace& trace;
    const Tensor2& z;
    std::span<const AttentionTarget> asked = {};  // rows of its attention with an additional loss
};

/// From ∂zℓ to ∂zℓ₋₁ (B·N, D). Writes the gradients of the block's activations to `g`.
Tensor2 encoder_block_back(const BlockBack& b, Tensor2 dz, BlockTrace& g);

/// The same if only one token of each sequence has a gradient, dz (B, D), as in a last block whose head reads a single
/// token: the same numbers for a fifth of the work, since all but attention acts on each token alone. Not for
/// post-norm, interventions, or kept activations.
Tensor2 encoder_block_back_from(int read, const BlockBack& b, const Tensor2& dz);

}  // namespace vitrine
