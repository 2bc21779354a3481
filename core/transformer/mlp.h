#pragma once

#include "core/transformer/block_trace.h"
#include "core/transformer/block_weights.h"
#include "core/transformer/layer.h"

namespace vitrine {

/// MLP(x) = act(x W₁ + b₁) W₂ + b₂, on each token independently. With a gate (act(x W_g + b_g) ⊙ (x W_x + b_x)) W₂ + b₂
/// (Shazeer 2020); a norm of the hidden layer, if any, comes before W₂.      x (rows, D)  ->  its activations
MlpTrace mlp_forward(const Layer& layer, const MlpWeights& w, const Tensor2& x);

/// Backward pass: from d_out (rows, D) to ∂x (rows, D). Writes the gradients of the MLP's activations to `g`.
Tensor2 mlp_backward(const Layer& layer, const Learned<MlpWeights>& learned, const MlpTrace& t, const Tensor2& x,
                     Tensor2 d_out, MlpTrace& g);

}  // namespace vitrine
