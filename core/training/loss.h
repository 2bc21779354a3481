#pragma once

#include <span>

#include "core/tensor/tensor.h"

namespace vitrine {

/// Loss of a batch, and its gradient with respect to the logits.
struct Loss {
    double sum = 0;    // −Σ P log Q, summed over the batch's images, in nats
    int correct = 0;   // images whose largest logit is the true class
    Tensor2 gradient;  // (B, classes)  ∂(sum · scale)/∂logits
};

/// Cross-entropy against the true classes; label smoothing (Szegedy et al. 2016) spreads a share of P over all classes.
struct LossOptions {
    double label_smoothing = 0;
    double scale = 1;  // factor of the gradient: 1 / batch for the mean
};
Loss cross_entropy(const Tensor2& logits, std::span<const int> labels, const LossOptions& options);

}  // namespace vitrine
