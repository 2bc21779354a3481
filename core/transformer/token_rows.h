#pragma once

#include "core/tensor/ops.h"
#include "core/tensor/tensor.h"

namespace vitrine {

// One token's row of every sequence: if a head reads only one token, only these rows have a gradient.

/// x (B·N, columns)  ->  (B, columns)
Tensor2 token_row(const Tensor2& x, Batch batch, int token);

/// x (B·h, N, columns)  ->  (B·h, 1, columns)
Tensor3 token_row(const Tensor3& x, int token);

/// Restricts a layer norm's trace to those rows.      (B·N, D)  ->  (B, D)
LayerNormTrace token_row(const LayerNormTrace& t, Batch batch, int token);

/// Adds rows (B, columns) to those rows of sum (B·N, columns).
void add_to_token_row(Tensor2& sum, int token, const Tensor2& rows);

}  // namespace vitrine
