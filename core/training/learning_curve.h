#pragma once

#include <vector>

namespace vitrine {

/// A run's curves over the examples seen so far.
struct LearningCurve {
    std::vector<double> seen, loss, accuracy;  // smoothed; `accuracy` for pictures only
    /// Measured now and then without dropout: accuracy on unseen examples. For texts always, for pictures if the
    /// training pictures are finite.
    std::vector<double> checked, unseen;
    std::vector<double> training;   // for pictures: accuracy on the run's own
    std::vector<double> attention;  // for texts: attention_of

    /// True if accuracies have been measured; for pictures on own and on unseen ones.
    bool parts() const { return !checked.empty(); }
};

}  // namespace vitrine
