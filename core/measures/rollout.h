#pragma once

#include <span>
#include <vector>

#include "core/base/progress.h"
#include "core/measures/options.h"
#include "core/vit/trace.h"

namespace vitrine {

/// Rows of the same length as one, number by number.
std::vector<float> fuse(std::span<const std::span<const float>> rows, HeadFusion fusion);

/// One block's step: heads fused, the smallest weights dropped, rows brought back to sum 1, and the identity mixed in:
/// Â = (1 − residual) Ā + residual I. A row of which nothing is left looks at itself.      ->  (N, N), rows sum to 1
Tensor2 rollout_step(const BlockTrace& block, const RolloutOptions& options);

/// Attention rollout (Abnar & Zuidema 2020): R_ℓ = Â_ℓ R_{ℓ−1} from R = I before the first block, after each block of
/// the range.      ->  so many (N, N), rows sum to 1
std::vector<Tensor2> rollout_by_block(const Trace& trace, const RolloutOptions& options = {},
                                      const Progress& progress = {});

/// Its last matrix.
Tensor2 attention_rollout(const Trace& trace, const RolloutOptions& options = {});

/// The blocks of a range that may say "the last": first … last, inside 1 … L.
struct BlockRange {
    int first = 1, last = 1;
};
BlockRange block_range(int first, int last, int blocks);

}  // namespace vitrine
