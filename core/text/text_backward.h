#pragma once

#include <span>
#include <vector>

#include "core/text/text_model.h"
#include "core/text/text_trace.h"
#include "core/transformer/block_trace.h"
#include "core/transformer/intervention.h"

namespace vitrine {

/// Inputs of a backward pass: the model, the trace of its forward pass, and its interventions.
struct TextBackwardPass {
    const TextModel& model;
    const TextTrace& trace;
    std::span<const Intervention> interventions = {};
    Keep keep = Keep::parameters;
};

/// Gradients of a loss with respect to the values that it depends on directly.
struct TextOutputGradient {
    Tensor2 logits;                      // (R_t, V) or (B, classes)
    Tensor2 it_logits;                   // (n, V of the source), empty without the auxiliary head
    std::vector<AttentionTarget> asked;  // rows of attention in the encoder's last block with a loss of their own
};

/// Backward pass from the activations of a forward pass, without a second forward pass.
///
///   output  ->  `gradients` = ∂f/∂parameters, summed over the batch (overwritten)
///
/// Exact for every variant of the forward pass. With `Keep::activations` the result holds the gradient of each
/// activation under the activation's name; the statistics of norms stay empty.
TextTrace text_backward(const TextBackwardPass& pass, const TextOutputGradient& output, FlatTextWeights& gradients);

}  // namespace vitrine
