#pragma once

#include "core/vit/flat_weights.h"
#include "core/vit/model.h"
#include "core/vit/trace.h"

namespace vitrine {

/// Eq. 4 and the classifier: readout of each image -> LN -> logits -> softmax. z_L (B·N, D)
HeadTrace classify(const Model& model, const Tensor2& z);

/// Backward pass: `g.logits` is ∂logits (B, classes) -> gradient of each image's readout (B, D).
Tensor2 classify_back(const Model& model, const Tensor2& z, const HeadTrace& t, FlatWeights& gradients, HeadTrace& g);

}  // namespace vitrine
