#pragma once

#include "core/claims/picture_trials.h"

// Checks of the claims about what-ifs, each on the unseen pictures of one seed. Each comment says what the trial's
// margin is: a mean over the pictures unless it says otherwise.

namespace vitrine {

// Layer norms.

/// Share of correct answers without norms.
Trial answer_without_norms(const ClaimGround& ground, std::uint64_t seed);
/// Share of the pictures that are named the most common class without norms.
Trial one_answer_without_norms(const ClaimGround& ground, std::uint64_t seed);
/// Median probability of the first choice without norms.
Trial confidence_without_norms(const ClaimGround& ground, std::uint64_t seed);
/// ‖z_L‖ ÷ ‖z₀‖ without norms.
Trial growth_without_norms(const ClaimGround& ground, std::uint64_t seed);
/// Effective number of tokens that a query looks at, without norms ÷ with them.
Trial attention_without_norms(const ClaimGround& ground, std::uint64_t seed);
/// Growth ‖z_L‖ ÷ ‖z₀‖ with the model's own norms, divided by (the largest mean token length of a level ÷ the smallest,
/// with norms after the sums).
Trial lengths_by_place(const ClaimGround& ground, std::uint64_t seed);

// Attention and positions.

/// Largest weight of a row without √d ÷ with it.
Trial without_root(const ClaimGround& ground, std::uint64_t seed);
/// The smaller of two rises of the entropy, in nats: from half the temperature to 1, and from 1 to 2.
Trial by_temperature(const ClaimGround& ground, std::uint64_t seed);
/// Asymmetry of the weights with K = Q; 0 if the scores are not symmetric.
Trial keys_as_queries(const ClaimGround& ground, std::uint64_t seed);
/// Weight moved in all blocks after the first with V = Q; 0 if any moves in the first.
Trial values_as_queries(const ClaimGround& ground, std::uint64_t seed);
/// Least Jensen–Shannon divergence of a block's heads, in nats.
Trial heads_differ(const ClaimGround& ground, std::uint64_t seed);
/// Largest change of a probability when patches are shuffled, without positions.
Trial order_without_positions(const ClaimGround& ground, std::uint64_t seed);
/// Cosine of the positions of neighbours minus that of far pairs.
Trial alike_neighbours(const ClaimGround& ground, std::uint64_t seed);
/// Cosine of the positions of mirrored pairs minus that of neighbours.
Trial alike_mirrored(const ClaimGround& ground, std::uint64_t seed);

// Parts of the model.

/// Share of the pictures whose probability changes by less than a percentage point when the head that adds the longest
/// vector in a block is removed.
Trial without_longest_head(const ClaimGround& ground, std::uint64_t seed);
/// The same when the patch with a head's largest weight is removed.
Trial without_brightest_patch(const ClaimGround& ground, std::uint64_t seed);
/// Median over the heads of the rank correlation of weights and norms of weighted values.
Trial agreeing_weights(const ClaimGround& ground, std::uint64_t seed);
/// The mean of this rank correlation over the blocks after the first, minus that of the first.
Trial agreement_after_first_block(const ClaimGround& ground, std::uint64_t seed);
/// Size of the change of the margin minus 100 times that of the probability p when a head is removed, for pictures with
/// p ≥ 99.9 %.
Trial near_certainty(const ClaimGround& ground, std::uint64_t seed);
/// Share of the pictures on which the head that adds most to the logit is not the one whose removal costs most margin.
Trial ledger_against_ablation(const ClaimGround& ground, std::uint64_t seed);
/// Share of the pictures on which the removal of the head that adds most to the logit costs less than it adds.
Trial compensated_share(const ClaimGround& ground, std::uint64_t seed);
/// For the head whose removal moves the margin most: the median of its importance by gradient as a share of that move.
Trial estimated_by_gradient(const ClaimGround& ground, std::uint64_t seed);
/// Patch tokens far longer than the median: the number from level 2 on ÷ the number at level 0 and from level 2 on; 1
/// if less than 60 % of those at level 0 have strong contrast or an unusual colour (a figure gives this share).
Trial outlying_norms(const ClaimGround& ground, std::uint64_t seed);
/// Share of the pictures on which the lens after the last block gives the first choice a probability of 90 % or more at
/// a patch that shows nothing of the object.
Trial background_in_the_lens(const ClaimGround& ground, std::uint64_t seed);
/// Share of the pictures with p ≥ 99.9 % on which covering one patch of the object changes p by less than a percentage
/// point.
Trial small_cover(const ClaimGround& ground, std::uint64_t seed);
/// Mean cosine of the patches of the drawn object, after the last block minus before the first.
Trial patches_of_a_thing(const ClaimGround& ground, std::uint64_t seed);
/// Cosine of the class tokens of two pictures after block 1, minus that of a class token before and after it.
Trial turning(const ClaimGround& ground, std::uint64_t seed);
/// Share of hidden units that are near 0 after the activation.
Trial quiet_units(const ClaimGround& ground, std::uint64_t seed);
/// Increase of the mean cosine of all pairs of tokens without skip connections; the least of all pictures.
Trial tokens_without_skips(const ClaimGround& ground, std::uint64_t seed);
/// Share of correct answers without skip connections.
Trial without_any_skip(const ClaimGround& ground, std::uint64_t seed);

/// The what-ifs to apply to a picture's run.
using WhatIfsOf = std::vector<Intervention> (*)(const PictureRun&);
/// Effect of what-ifs on the answer; the margin is the share of pictures whose first choice changes.
Trial switched(const ClaimGround& ground, std::uint64_t seed, const char* name, WhatIfsOf what_ifs);

}  // namespace vitrine
