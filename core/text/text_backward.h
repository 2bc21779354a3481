#pragma once

#include <span>
#include <vector>

#include "core/text/text_model.h"
#include "core/text/text_trace.h"
#include "core/transformer/block_trace.h"
#include "core/transformer/backward_layers.h"
#include "core/transformer/intervention.h"

namespace vitrine {

/// A forward pass that is to be gone back through: its model, what it left, and the interventions it ran with.
struct TextBackwardPass {
    const TextModel& model;
    const TextTrace& trace;
    std::span<const Intervention> interventions = {};
    Keep keep = Keep::parameters;
};

/// Of what a loss depends on directly.
struct TextOutputGradient {
    Tensor2 logits;               // (R_t, V) or (B, classes)
    Tensor2 it_logits;            // (n, V of the source), empty where the auxiliary head has none
    std::vector<AskedRow> asked;  // of the encoder's last block
};

/// The chain rule through a whole pass, reading the activations that it left; no second forward pass.
///
///   output  ->  `gradients` = ∂f/∂parameters, summed over the batch (overwritten)
///
/// Exact for every variant that the forward pass runs. With `Keep::activations` the result holds the gradient of each
/// activation under the activation's own name; norms' statistics stay empty.
TextTrace text_backward(const TextBackwardPass& pass, const TextOutputGradient& output, FlatTextWeights& gradients);

}  // namespace vitrine
