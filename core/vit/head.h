#pragma once

#include "core/vit/flat_weights.h"
#include "core/vit/model.h"
#include "core/vit/trace.h"

namespace vitrine {

/// Eq. 4 and the classifier: readout of each image -> LN -> logits -> softmax. In some models LN acts on each token
/// before the readout, or a pooling by attention follows LN; a model that ends with a projection has features instead
/// of logits.      z_L (B·N, D)
HeadTrace classify(const Model& model, const Tensor2& z);

/// Inputs of the head's backward pass; `gradients` receives the gradients of its parameters.
struct HeadBack {
    const Model& model;
    const Tensor2& z;  // z_L (B·N, D)
    const HeadTrace& t;
    FlatWeights& gradients;
};

/// Backward pass: `g.logits` is ∂logits (B, classes) -> gradient of each image's readout (B, D). Asserts that the norm
/// follows the readout.
Tensor2 classify_back(const HeadBack& back, HeadTrace& g);
/// Variant for every readout: the gradient of z_L (B·N, D).
Tensor2 classify_back_to_tokens(const HeadBack& back, HeadTrace& g);

}  // namespace vitrine
