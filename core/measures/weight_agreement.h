#pragma once

#include "core/tensor/tensor.h"
#include "core/vit/trace.h"

namespace vitrine {

/// How far a query's weights tell what they move: the rank correlation of each head's weights with the norms of a_j v_j
/// (Kobayashi et al. 2020).      ->  (L, h), −1 … 1
Tensor2 weight_agreement(const Trace& trace, int query);

/// A head by its place.
struct PlacedHead {
    int block = 1, head = 0;
};
/// The head in which they agree least.
PlacedHead least_agreeing_head(const Trace& trace, int query);

}  // namespace vitrine
