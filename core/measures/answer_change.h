#pragma once

#include <span>

#include "core/vit/trace.h"

// Effect of a what-if on a model's answer: the only code that computes such differences, for the window, the command
// line and the search for pictures near a decision boundary.

namespace vitrine {

/// A class's probability, logit, margin and loss in a run.
struct ClassReading {
    double probability = 0;
    double logit = 0;
    double margin = 0;  ///< its logit minus the largest other one; the logit itself if there is no other
    double loss = 0;  ///< −log of the probability, in nats, from the logits: exact even if the probability rounds to 1
};
ClassReading reading_of(const HeadTrace& head, int chosen);

/// A class's logit minus the largest other logit; the logit itself if there is no other.
double margin_of(std::span<const float> logits, int chosen);

/// One class in a changed run and in the run before the change.
struct AnswerChange {
    int chosen = 0;     // the watched class
    int first_now = 0;  // the first class of the changed run
    ClassReading before, now;

    double probability() const { return now.probability - before.probability; }
    double logit() const { return now.logit - before.logit; }
    double margin() const { return now.margin - before.margin; }
    double loss() const { return now.loss - before.loss; }
    /// True if the changed run's first class is not the watched one.
    bool other_choice() const { return first_now != chosen; }
};
/// Change for the class that was first before. Both runs must have classes.
AnswerChange answer_change(const HeadTrace& now, const HeadTrace& before);
/// Change for the class `chosen`.
AnswerChange answer_change(const HeadTrace& now, const HeadTrace& before, int chosen);

}  // namespace vitrine
