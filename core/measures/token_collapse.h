#pragma once

#include "core/tensor/tensor.h"

namespace vitrine {

/// Mean cosine similarity of all pairs of different rows, zero rows left out: 1 when all tokens point one way, which
/// is where attention without skip connections leads (Dong et al. 2021).      (N, D)  ->  −1 … 1, 0
/// without a pair
double mean_pair_cosine(const Tensor2& tokens);

}  // namespace vitrine
