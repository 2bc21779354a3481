#pragma once

#include "core/claims/picture_trials.h"

// Measurements of the claims about what-ifs, each on a hundred fresh pictures of a seed. Comments name the margin.

namespace vitrine {

// Layer norms.
Trial answer_without_norms(const ClaimGround& ground, std::uint64_t seed);      // share of right answers without norms
Trial one_answer_without_norms(const ClaimGround& ground, std::uint64_t seed);  // share named the commonest class
Trial confidence_without_norms(const ClaimGround& ground,
                               std::uint64_t seed);                         // median probability of the first choice
Trial growth_without_norms(const ClaimGround& ground, std::uint64_t seed);  // ‖z_L‖ ÷ ‖z₀‖ without
Trial attention_without_norms(const ClaimGround& ground,
                              std::uint64_t seed);  // effective number of tokens looked at, without ÷ with norms
Trial lengths_by_place(const ClaimGround& ground, std::uint64_t seed);  // growth before ÷ spread after the sums

// Attention and positions.
Trial without_root(const ClaimGround& ground, std::uint64_t seed);     // largest weight without ÷ with √d
Trial by_temperature(const ClaimGround& ground, std::uint64_t seed);   // least rise of the entropy, nats
Trial keys_as_queries(const ClaimGround& ground, std::uint64_t seed);  // how one-sided weights stay; scores are not
Trial values_as_queries(const ClaimGround& ground,
                        std::uint64_t seed);                        // weight moved in later blocks; none in the first
Trial heads_differ(const ClaimGround& ground, std::uint64_t seed);  // Jensen–Shannon divergence, nats
Trial order_without_positions(const ClaimGround& ground, std::uint64_t seed);  // largest change of a probability
Trial alike_neighbours(const ClaimGround& ground, std::uint64_t seed);  // cosine of neighbours less that of far pairs
Trial alike_mirrored(const ClaimGround& ground,
                     std::uint64_t seed);  // cosine of mirrored pairs less that of neighbours

// Parts of the model.
Trial without_longest_head(const ClaimGround& ground, std::uint64_t seed);     // share that stays within a point
Trial without_brightest_patch(const ClaimGround& ground, std::uint64_t seed);  // the same share
Trial agreeing_weights(const ClaimGround& ground, std::uint64_t seed);         // median rank correlation of the heads
Trial near_certainty(const ClaimGround& ground, std::uint64_t seed);  // |Δ margin| minus 100 |Δp|, for p ≥ 99.9 %
Trial ledger_against_ablation(const ClaimGround& ground, std::uint64_t seed);  // share where the two heads differ
Trial compensated_share(const ClaimGround& ground, std::uint64_t seed);   // share that loses less than the head added
Trial patches_of_a_thing(const ClaimGround& ground, std::uint64_t seed);  // mean cosine won among them
Trial turning(const ClaimGround& ground, std::uint64_t seed);  // block 1: cosine with another picture's less with start
Trial quiet_units(const ClaimGround& ground, std::uint64_t seed);           // share of hidden units near 0
Trial tokens_without_skips(const ClaimGround& ground, std::uint64_t seed);  // least rise of the tokens' mean cosine
Trial without_any_skip(const ClaimGround& ground, std::uint64_t seed);      // share named rightly without

/// Effect of a what-if on the answer; the margin is the share of pictures whose first choice changes.
using WhatIfsOf = std::vector<Intervention> (*)(const PictureRun&);
Trial switched(const ClaimGround& ground, std::uint64_t seed, const char* name, WhatIfsOf what_ifs);

}  // namespace vitrine
