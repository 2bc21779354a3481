#pragma once

#include "core/tensor/ops.h"
#include "core/tensor/tensor.h"

namespace vitrine {

// One token's row of every sequence: where a head reads one token alone, only these have a gradient.

/// x (B·N, columns)  ->  (B, columns)
Tensor2 token_row(const Tensor2& x, Batch batch, int token);

/// x (B·h, N, columns)  ->  (B·h, 1, columns)
Tensor3 token_row(const Tensor3& x, int token);

/// A layer norm's trace of those rows alone.      (B·N, D)  ->  (B, D)
LayerNormTrace token_row(const LayerNormTrace& t, Batch batch, int token);

/// sum (B·N, columns) grows by rows (B, columns) there.
void add_to_token_row(Tensor2& sum, int token, const Tensor2& rows);

}  // namespace vitrine
