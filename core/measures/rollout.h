#pragma once

#include <span>
#include <vector>

#include "core/base/progress.h"
#include "core/measures/options.h"
#include "core/vit/trace.h"

namespace vitrine {

struct Config;

/// Combines rows of equal length, one of each head, by the mean, maximum or minimum of each element.
std::vector<float> fuse(std::span<const std::span<const float>> rows, HeadFusion fusion);

/// One block's step: combines the heads, drops the smallest weights, renormalises the rows, and adds the identity: Â =
/// (1 − residual) Ā + residual I. A row with no weight left attends to itself.      ->  (N, N), rows sum to 1
Tensor2 rollout_step(const BlockTrace& block, const RolloutOptions& options);

/// Attention rollout (Abnar & Zuidema 2020): R_ℓ = Â_ℓ R_{ℓ−1} from R = I before the first block, after each block of
/// the range.      ->  one (N, N) per block, rows sum to 1
std::vector<Tensor2> rollout_by_block(const Trace& trace, const RolloutOptions& options = {},
                                      const Progress& progress = {});

/// The last matrix of rollout_by_block.
Tensor2 attention_rollout(const Trace& trace, const RolloutOptions& options = {});

/// How much of every token reaches the head: the rows of a rollout R, weighted by each token's share in the readout. If
/// the head pools by attention, its query's weights are fused, dropped and rescaled like a block's, but without a
/// residual share, since the query is not a token.      (N), sums to 1
std::vector<float> rollout_of_readout(const Config& config, const HeadTrace& head, const Tensor2& rollout,
                                      const RolloutOptions& options);

/// Blocks first … last, within 1 … L. `block_range` clamps both to the model's blocks; last < 1 stands for L.
struct BlockRange {
    int first = 1, last = 1;
};
BlockRange block_range(int first, int last, int blocks);

}  // namespace vitrine
