#pragma once

#include <functional>
#include <span>
#include <vector>

#include "core/base/progress.h"
#include "core/measures/answer_change.h"
#include "core/measures/options.h"
#include "core/tensor/tensor.h"
#include "core/transformer/intervention.h"
#include "core/vit/model.h"

namespace vitrine {

/// Fall of the chosen class's probability, logit and margin under a cover at each place (Zeiler & Fergus 2014), and the
/// rise of its loss.
struct OcclusionMap {
    float probability = 0;  // uncovered
    ClassReading uncovered;
    int done = 0, total = 0;  // covers tried, and all
    int other_answers = 0;    // covers tried so far under which another class comes first
    Tensor2 drop;  // (g_h, g_w)  fall of the probability by position in the sequence: mean over the covers tried so far
                   // that overlap the patch; negative: it rose
    Tensor2 logit, margin;    // same shape
    Tensor2 loss;             // same shape: the rise
    std::vector<int> counts;  // (N_p)       number of covers in the mean; 0: none yet

    const Tensor2& of(Watched watched) const;
};

/// A picture as the model sees it (C, H, W), and the active what-ifs.
struct OcclusionOf {
    const Model& model;
    const Tensor3& image;
    std::span<const Intervention> what_ifs = {};
    OcclusionOptions options;
};

/// Tries every position of the cover, in steps of a patch, in an order that is spread over the picture from the
/// beginning; `on_change` receives the map every 0.05 s or later, and at the end.
OcclusionMap occlusion(const OcclusionOf& of, const std::function<void(const OcclusionMap&)>& on_change = {},
                       const Progress& progress = {});

}  // namespace vitrine
