#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/base/progress.h"
#include "core/vit/model.h"
#include "core/vit/trace.h"

namespace vitrine {

// What pictures need of whole tensors in every frame: measured once, where the run is made, since a frame has no time
// to look at N × N numbers.

/// Of each head of a block, all its N × N numbers.
struct AttentionReach {
    std::vector<float> scores;     // (h)  the largest finite |s|
    std::vector<float> attention;  // (h)  the largest finite a
    std::vector<float> asymmetry;  // (h)  max |s_ij − s_ji|, see asymmetry()
    float largest_attention = 0;   // of all heads
};
AttentionReach attention_reach(const BlockTrace& block);

/// Of the stream at a level ℓ.
struct StreamMeasures {
    std::vector<float> norms;  // (N)  ‖z_i‖
    double likeness = 0;       // how like the patches what the head would read is: mean cosine
};
StreamMeasures stream_measures(const Config& config, const Tensor2& z);

/// Both of a whole run.
struct PictureMeasures {
    std::vector<std::shared_ptr<const AttentionReach>> reach;   // by block: [ℓ − 1]
    std::vector<std::shared_ptr<const StreamMeasures>> stream;  // by level: [ℓ]
};
PictureMeasures picture_measures(const Config& config, const Trace& trace, const Progress& progress = {});
/// A run that was measured before.
struct MeasuredRun {
    const Trace& trace;
    const PictureMeasures& measures;
};
/// The same of a run that may share stages with one that was measured before.
PictureMeasures picture_measures(const Config& config, const Trace& trace, const MeasuredRun& before,
                                 const Progress& progress = {});

/// How like one row is to every row whose norms are known.      (n, d), (n)  ->  (n), 0 where a row is zero
std::vector<float> cosines_to(const Tensor2& rows, std::span<const float> norms, int row);

}  // namespace vitrine
