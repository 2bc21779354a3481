#pragma once

#include "core/vit/flat_weights.h"
#include "core/vit/model.h"
#include "core/vit/trace.h"

namespace vitrine {

/// Eq. 4 and the classifier: readout of each image -> LN -> logits -> softmax. Where the model norms each token that is
/// read, LN comes first, and a pooling may follow; a projection that a model ends with makes its features. z_L (B·N, D)
HeadTrace classify(const Model& model, const Tensor2& z);

/// What the backward pass of a head reads, and where gradients of its parameters go.
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
