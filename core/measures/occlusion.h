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

/// How far the chosen class's probability falls while a cover lies over the picture (Zeiler & Fergus 2014), and with it
/// its logit, its margin, and how far its loss rises.
struct OcclusionMap {
    float probability = 0;  // uncovered
    ClassReading uncovered;
    int done = 0, total = 0;  // covers tried
    Tensor2 drop;  // (g_h, g_w)  by the patches' places in the sequence: mean over the covers over a patch so far;
                   // below 0: it rose
    Tensor2 logit, margin;    // likewise
    Tensor2 loss;             // by how much it rises
    std::vector<int> counts;  // (N_p)       how many that were; 0: none yet

    const Tensor2& of(Watched watched) const;
};

/// A picture as the model sees it (C, H, W), and what else is switched off.
struct OcclusionOf {
    const Model& model;
    const Tensor3& image;
    std::span<const Intervention> what_ifs = {};
    OcclusionOptions options;
};

/// Every place of the cover, patch by patch, in an order that is everywhere at once from the beginning; `on_change`
/// gets the map now and then, and when all are done.
OcclusionMap occlusion(const OcclusionOf& of, const std::function<void(const OcclusionMap&)>& on_change = {},
                       const Progress& progress = {});

}  // namespace vitrine
