#pragma once

#include "core/base/names.h"

namespace vitrine {

// What a reader chooses of the measures: core/measures/occlusion and rollout take it.

/// What stands where a part of the picture is covered.
enum class Cover {
    mean,   // the mean colour of this picture
    grey,   // what the preprocessing takes to 0
    blur,   // the picture itself, out of focus
    token,  // the pixels stay; the patches' tokens are zeroed before positions are added
};
inline constexpr Named<Cover> cover_names[] = {
    {Cover::mean, "mean"}, {Cover::grey, "grey"}, {Cover::blur, "blur"}, {Cover::token, "token"}};

/// What of the class is watched under the cover: near 1 its probability hardly moves, where its logit still does.
enum class Watched { probability, logit, margin, loss };
inline constexpr Named<Watched> watched_names[] = {{Watched::probability, "probability"},
                                                   {Watched::logit, "logit"},
                                                   {Watched::margin, "margin"},
                                                   {Watched::loss, "loss"}};

struct OcclusionOptions {
    int size = 1;  ///< patches along a side of the cover
    Cover cover = Cover::mean;
    int chosen = 0;  ///< class whose probability is watched

    bool operator==(const OcclusionOptions&) const = default;
};

/// How the heads of a block become one matrix.
enum class HeadFusion { mean, max, min };
inline constexpr Named<HeadFusion> head_fusion_names[] = {
    {HeadFusion::mean, "mean"}, {HeadFusion::max, "max"}, {HeadFusion::min, "min"}};

struct RolloutOptions {
    HeadFusion fusion = HeadFusion::mean;
    float residual = 0.5F;  ///< share of the identity, 0 … 1, for the residual connection
    float discard = 0.0F;   ///< share of every row's weights that is dropped, the smallest first, 0 … 1
    int first_block = 1;    ///< ℓ
    int last_block = 0;     ///< ℓ; 0: L

    bool operator==(const RolloutOptions&) const = default;
};

}  // namespace vitrine
