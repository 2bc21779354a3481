#pragma once

#include "core/vit/flat_weights.h"
#include "core/vit/model.h"
#include "core/vit/trace.h"

namespace vitrine {

// Pooling by attention (multihead attention pooling, Zhai et al. 2022): one learned query attends to the normed
// patches, and an MLP with a residual connection follows.
//
//   q = probe W_Q,  m = softmax(qkᵀ/√d) v W_O,  y = m + MLP(LN(m))

/// The pooling's activations, from tokens (B·N_p, D) after the final norm.
PoolingTrace pool(const Model& model, const Tensor2& tokens);
/// y of each image. (B, D)
Tensor2 pooled(const PoolingTrace& t);

/// y of an image whose patches all equal the same token, for each row of `tokens`. (rows, D) -> (rows, D)
Tensor2 pooled_alone(const Model& model, const Tensor2& tokens);

/// Inputs of the backward pass, and the destination of the parameters' gradients.
struct PoolingBack {
    const Model& model;
    const Tensor2& tokens;  // (B·N_p, D)
    const PoolingTrace& t;
    FlatWeights& gradients;
};

/// ∂y (B, D) -> ∂tokens (B·N_p, D). Writes the gradients of the pooling's activations to `g`.
Tensor2 pool_back(const PoolingBack& back, const Tensor2& dy, PoolingTrace& g);

}  // namespace vitrine
