#pragma once

#include <span>

#include "core/base/progress.h"
#include "core/vit/model.h"
#include "core/vit/trace.h"

namespace vitrine {

/// What a model said of a picture: the probability of its first choice, and whether that was right.
struct Answer {
    double top = 0;
    bool right = false;
};

/// Expected calibration error (Guo et al. 2017, eq. 3): Σ |bin|/n · |accuracy − mean top probability|, in 15 bins of
/// equal width. 0 of no answers.
double calibration_error(std::span<const Answer> answers);

/// Of an even number of answers the mean of the two in the middle; 0 of none.
double median_top_probability(std::span<const Answer> answers);

/// A head, and by how much its removal changes the first choice's lead: its logit less the largest other one.
struct DecisiveHead {
    int block = 1, head = 0;
    double change = 0;
};

/// The head that matters most: the one whose removal changes the first choice's lead most, which shows where the
/// probability is near 1, too. Of a model without two classes the last block's first.
DecisiveHead decisive_head(const Model& model, const Trace& trace, const Progress& progress = {});

/// The largest change of the first choice's probability that taking away one head brings, 0 … 1. Heads are tried from
/// the last block on, which runs least again, until one changes it by `enough`.
double change_by_one_head(const Model& model, const Trace& trace, double enough = 2);

/// From so much on a head counts as decisive: 10 points.
inline constexpr double decisive_change = 0.1;

}  // namespace vitrine
