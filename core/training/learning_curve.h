#pragma once

#include <vector>

namespace vitrine {

/// The course of a run, by the examples seen so far.
struct LearningCurve {
    std::vector<double> seen, loss, accuracy;  // smoothed; `accuracy` of pictures alone
    /// Now and then, without dropout: the share of unseen examples that are right. Of texts always, of pictures where
    /// those of the run run out.
    std::vector<double> checked, unseen;
    std::vector<double> training;   // of pictures: the share of the run's own that are right
    std::vector<double> attention;  // of texts: attention_of

    /// Whether pictures of its own and unseen ones are told apart.
    bool parts() const { return !checked.empty(); }
};

}  // namespace vitrine
