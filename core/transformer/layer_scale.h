#pragma once

#include "core/transformer/backward_layers.h"

namespace vitrine {

// Layer scale: a learned gain for each feature of a branch, between its last layer and the residual connection
// (Touvron et al. 2021). A model without layer scale passes the branch on without a copy.

/// γ ⊙ branch, stored in `scaled`; the branch itself if γ is empty.      γ (D), branch (rows, D)  ->  (rows, D)
const Tensor2& scale_branch(const Parameter& gain, const Tensor2& branch, Tensor2& scaled);

/// A gain for the backward pass: its numbers, the destination of its gradient, and the branch that it multiplied.
struct GainBack {
    const Parameter& gain;
    const Parameter& into;
    const Tensor2& branch;
};

/// ∂branch = γ ⊙ ∂scaled,  ∂γ = Σ rows of ∂scaled ⊙ branch. `d` itself if γ is empty.      (rows, D)  ->  (rows, D)
Tensor2 scale_back(const GainBack& g, FlatNumbers& gradients, const Tensor2& d);

}  // namespace vitrine
