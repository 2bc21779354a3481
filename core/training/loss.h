#pragma once

#include <span>

#include "core/tensor/tensor.h"

namespace vitrine {

/// What a batch cost, and what each logit had to do with it.
struct Loss {
    double sum = 0;    // of −Σ P log Q over the batch's images, in nats
    int correct = 0;   // images whose largest logit is the true class
    Tensor2 gradient;  // (B, classes)  ∂(sum · scale)/∂logits
};

/// Cross-entropy against the true classes; with label smoothing (Szegedy et al. 2016) a share of P is spread over all.
struct LossOptions {
    double label_smoothing = 0;
    double scale = 1;  // 1 / batch for the mean
};
Loss cross_entropy(const Tensor2& logits, std::span<const int> labels, const LossOptions& options);

}  // namespace vitrine
