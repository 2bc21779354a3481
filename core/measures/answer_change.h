#pragma once

#include <span>

#include "core/vit/trace.h"

// What a what-if does to a model's answer: the one place where such differences are worked out, for the window, the
// command line and the search for pictures near the edge.

namespace vitrine {

/// What a run says of one class.
struct ClassReading {
    double probability = 0;
    double logit = 0;
    double margin = 0;  ///< its logit less the largest other one; the logit itself where there is no other
    double loss = 0;  ///< −log of the probability, in nats, from the logits: exact where the probability rounds to 1
};
ClassReading reading_of(const HeadTrace& head, int chosen);

/// A class's logit less the largest other one.
double margin_of(std::span<const float> logits, int chosen);

/// One class in a run and in the run that it is compared with.
struct AnswerChange {
    int chosen = 0;     // the class that is watched
    int first_now = 0;  // the class that the changed run puts first
    ClassReading before, now;

    double probability() const { return now.probability - before.probability; }
    double logit() const { return now.logit - before.logit; }
    double margin() const { return now.margin - before.margin; }
    double loss() const { return now.loss - before.loss; }
    /// Whether another class is first than the one that is watched.
    bool other_choice() const { return first_now != chosen; }
};
/// Of the class that was first before. Both runs have classes.
AnswerChange answer_change(const HeadTrace& now, const HeadTrace& before);
/// Of any class.
AnswerChange answer_change(const HeadTrace& now, const HeadTrace& before, int chosen);

}  // namespace vitrine
