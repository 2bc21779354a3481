#pragma once

#include <vector>

namespace vitrine {

/// A run's curves over the examples seen so far.
struct LearningCurve {
    std::vector<double> seen, loss, accuracy;  // smoothed; `accuracy` for pictures only
    /// Accuracy on unseen examples, measured now and then without dropout, after `checked` examples. For texts always,
    /// for pictures if the training pictures are finite.
    std::vector<double> checked, unseen;
    std::vector<double> training;   // for pictures: accuracy on the run's training pictures
    std::vector<double> attention;  // for texts: attention_of

    /// True if accuracies on unseen examples (for pictures, also on training pictures) have been measured.
    bool parts() const { return !checked.empty(); }
};

}  // namespace vitrine
