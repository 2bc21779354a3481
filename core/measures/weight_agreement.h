#pragma once

#include "core/tensor/tensor.h"
#include "core/vit/trace.h"

namespace vitrine {

/// Whether a query's weights show what is moved: the rank correlation, in each head, between the weights a_j and the
/// norms of a_j v_j (Kobayashi et al. 2020).      ->  (L, h), −1 … 1
Tensor2 weight_agreement(const Trace& trace, int query);

/// A head by its place.
struct PlacedHead {
    int block = 1, head = 0;
};
/// The head in which they agree least.
PlacedHead least_agreeing_head(const Trace& trace, int query);

}  // namespace vitrine
