#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/base/progress.h"
#include "core/vit/model.h"
#include "core/vit/trace.h"

namespace vitrine {

// Summaries of whole tensors that pictures need in every frame, computed once with the run: a frame has no time to scan
// N × N numbers.

/// Maxima over a block's N × N matrices, by head.
struct AttentionReach {
    std::vector<float> scores;     // (h)  the largest finite |s|
    std::vector<float> attention;  // (h)  the largest finite a
    std::vector<float> asymmetry;  // (h)  max |s_ij − s_ji|, see asymmetry()
    float largest_attention = 0;   // over all heads
    float usual_attention = 0;     // 98 % of the weights of all heads are at most this, by a sample of them
};
AttentionReach attention_reach(const BlockTrace& block);

/// Measures of the stream at level ℓ.
struct StreamMeasures {
    std::vector<float> norms;  // (N)  ‖z_i‖
    double likeness = 0;       // mean cosine between the patches and the head's input
};
StreamMeasures stream_measures(const Config& config, const Tensor2& z);

/// The reach of every block and the measures of every level of a run.
struct PictureMeasures {
    std::vector<std::shared_ptr<const AttentionReach>> reach;   // by block: [ℓ − 1]
    std::vector<std::shared_ptr<const StreamMeasures>> stream;  // by level: [ℓ]
};
PictureMeasures picture_measures(const Config& config, const Trace& trace, const Progress& progress = {});
/// A run with its measures.
struct MeasuredRun {
    const Trace& trace;
    const PictureMeasures& measures;
};
/// The measures of a run, reusing those of stages that it shares with an earlier run.
PictureMeasures picture_measures(const Config& config, const Trace& trace, const MeasuredRun& before,
                                 const Progress& progress = {});

/// Cosine similarity of one row to every row, given the rows' norms.      (n, d), (n)  ->  (n), 0 for a zero row
std::vector<float> cosines_to(const Tensor2& rows, std::span<const float> norms, int row);

}  // namespace vitrine
