#pragma once

#include <span>
#include <vector>

#include "core/vit/model.h"
#include "core/vit/trace.h"

namespace vitrine {

// Measures of attention for runs of one image, each with its source.

/// Attention in a block of the tokens that the classifier reads: their rows, weighted by their `shares`
/// (`readout_shares`) and averaged over the heads.      ->  (N), sums to 1
std::vector<float> mean_readout_row(const BlockTrace& block, std::span<const float> shares);

/// Mean attention distance in pixels (ViT paper, Fig. 7 and 11): Σ_j A_ij · P ‖pos_i − pos_j‖ over patch keys j,
/// averaged over patch queries i; rows are not renormalised over the patches.
double mean_attention_distance(const BlockTrace& block, int head, const Config& config);

/// Entropy of a head's rows in nats, averaged over the queries: 0 … ln N.
double mean_attention_entropy(const BlockTrace& block, int head);

/// Effective tokens e^H of a head's rows, averaged over the queries: 1 … N.
double mean_effective_tokens(const BlockTrace& block, int head);

/// Jensen–Shannon divergence of two distributions in nats: 0 … ln 2.
double jensen_shannon(std::span<const float> a, std::span<const float> b);

/// Total variation distance of two distributions: ½ Σ |a − b|, 0 … 1.
double total_variation(std::span<const float> a, std::span<const float> b);

/// Diversity of a block's heads: jensen_shannon of their rows in nats, averaged over queries and pairs of heads; 0 for
/// one head.
double mean_head_divergence(const BlockTrace& block);

}  // namespace vitrine
