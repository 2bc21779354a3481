#pragma once

#include <span>

#include "core/base/progress.h"

namespace vitrine {

struct Model;
class Trace;

/// A model's answer for a picture: the probability of its first choice, and whether it was right.
struct Answer {
    double top = 0;
    bool right = false;
};

/// Expected calibration error (Guo et al. 2017, eq. 3): Σ |bin|/n · |accuracy − mean top probability|, in 15 bins of
/// equal width. 0 without answers.
double calibration_error(std::span<const Answer> answers);

/// Median of the first choices' probabilities; for an even count the mean of the middle two, 0 without answers.
double median_top_probability(std::span<const Answer> answers);

/// A head, and the change of the first choice's lead without it. The lead is its logit minus the largest other logit.
struct DecisiveHead {
    int block = 1, head = 0;
    double change = 0;
};

/// The head whose removal changes the first choice's lead most; unlike the probability, the lead still shows effects
/// near 1. For a model with fewer than two classes, the last block's first head.
DecisiveHead decisive_head(const Model& model, const Trace& trace, const Progress& progress = {});

/// The largest change of the first choice's probability when one head is removed, 0 … 1. Tries heads from the last
/// block back, which is the cheapest order, and stops at the first change of `enough`.
double change_by_one_head(const Model& model, const Trace& trace, double enough = 2);

/// Change of probability from which a head counts as decisive: 10 points.
inline constexpr double decisive_change = 0.1;

}  // namespace vitrine
