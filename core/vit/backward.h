#pragma once

#include <functional>
#include <span>

#include "core/transformer/intervention.h"
#include "core/vit/flat_weights.h"
#include "core/vit/trace.h"

namespace vitrine {

/// Inputs of a backward pass: the model, the trace of its forward pass, and the interventions of that pass.
struct BackwardPass {
    const Model& model;
    const Trace& trace;
    std::span<const Intervention> interventions = {};
    Keep keep = Keep::parameters;
};

/// Backward pass from the activations of a forward pass, without a second forward pass.
///
///   logit_gradient (B, classes) = ∂f/∂logits  ->  `gradients` = ∂f/∂parameters, summed over the images (overwritten)
///
/// Exact for every variant of the forward pass: any norm, with or without skips and positions, any activation, any
/// intervention (with the same dropout mask). With `Keep::activations` the result holds the gradient of each activation
/// under the activation's name (∂f/∂attention in `attention`); the statistics of norms stay empty.
Trace backward(const BackwardPass& pass, const Tensor2& logit_gradient, FlatWeights& gradients);

/// Receives ℓ and the gradients of that block's activations; an exception from it ends the pass.
using BlockVisitor = std::function<void(int block, const BlockTrace& gradients)>;

/// The same pass for the gradients of activations alone: `visit` receives the blocks from the last to ℓ = `first`. A
/// block's gradients are freed after its visit, so memory for one block is enough.
void backward_through_blocks(const BackwardPass& pass, const Tensor2& logit_gradient, int first,
                             const BlockVisitor& visit);

}  // namespace vitrine
