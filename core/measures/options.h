#pragma once

#include "core/base/names.h"
#include "core/transformer/cover.h"

namespace vitrine {

// Options of the measures (occlusion, rollout, importance, patching, perturbation).

inline constexpr Named<Cover> cover_names[] = {
    {Cover::mean, "mean"}, {Cover::grey, "grey"}, {Cover::blur, "blur"}, {Cover::token, "token"}};

/// The number of the chosen class that is watched under a cover. A probability near 1 hardly changes, but the logit
/// does.
enum class Watched { probability, logit, margin, loss };
inline constexpr Named<Watched> watched_names[] = {{Watched::probability, "probability"},
                                                   {Watched::logit, "logit"},
                                                   {Watched::margin, "margin"},
                                                   {Watched::loss, "loss"}};

/// The activations that patching copies from one run into another.
enum class PatchSite {
    stream,     // zℓ, after a block
    attention,  // the attention's output, after W_O
    mlp,        // the MLP's output
    head,       // a head's output, before W_O
};
inline constexpr Named<PatchSite> patch_site_names[] = {{PatchSite::stream, "stream"},
                                                        {PatchSite::attention, "attention"},
                                                        {PatchSite::mlp, "mlp"},
                                                        {PatchSite::head, "head"}};

/// Patches are removed from the picture, or inserted into a picture without any.
enum class Perturbation { deletion, insertion };
inline constexpr Named<Perturbation> perturbation_names[] = {{Perturbation::deletion, "deletion"},
                                                             {Perturbation::insertion, "insertion"}};

/// How the importance of a head is measured: by its removal, or by one backward pass.
enum class HeadRanking { removal, gradient };
inline constexpr Named<HeadRanking> head_ranking_names[] = {{HeadRanking::removal, "removal"},
                                                            {HeadRanking::gradient, "gradient"}};

/// The replacement of a removed part.
enum class Ablation {
    zero,
    mean,      // of the part's numbers over the run's tokens; for a patch: over the image's patches
    resample,  // the part's numbers in a run of another image
};
inline constexpr Named<Ablation> ablation_names[] = {
    {Ablation::zero, "zero"}, {Ablation::mean, "mean"}, {Ablation::resample, "resample"}};

struct OcclusionOptions {
    int size = 1;  ///< side of the cover in patches
    Cover cover = Cover::mean;
    int chosen = 0;  ///< class whose numbers are watched

    bool operator==(const OcclusionOptions&) const = default;
};

/// How the heads of a block are combined into one matrix.
enum class HeadFusion { mean, max, min };
inline constexpr Named<HeadFusion> head_fusion_names[] = {
    {HeadFusion::mean, "mean"}, {HeadFusion::max, "max"}, {HeadFusion::min, "min"}};

struct RolloutOptions {
    HeadFusion fusion = HeadFusion::mean;
    float residual = 0.5F;  ///< share of the identity for the residual connection, 0 … 1
    float discard = 0.0F;   ///< share of each row's weights to drop, smallest first, 0 … 1
    int first_block = 1;    ///< ℓ
    int last_block = 0;     ///< ℓ; 0: L

    bool operator==(const RolloutOptions&) const = default;
};

}  // namespace vitrine
