#pragma once

#include <memory>
#include <vector>

#include "core/base/team.h"
#include "core/training/optimiser.h"

namespace vitrine {

/// The second half of a step, which knows nothing of what is learned: the gradients of a team's members are added up
/// in a fixed order, clipped and applied. The same number of members gives the same bits.
class Descent {
public:
    /// `rooms`: zeros in the parameters' shape for the mean gradient, then for each member's own.
    Descent(FlatNumbers& parameters, const std::vector<UpdatePart>& parts,
            std::vector<std::shared_ptr<FlatNumbers>> rooms);

    /// Where a member leaves its share of the gradient.
    FlatNumbers& gradients_of(int member) { return *own_[static_cast<std::size_t>(member)]; }
    const FlatNumbers& gradients() const { return *mean_; }
    const OptimiserState& moments() const { return moments_; }
    void restore(const OptimiserState& moments) { moments_ = moments; }

    /// Inside a team's `run`, by every member once it has left its gradient: the update, by a rate that `how` says; the
    /// gradient's norm before it was clipped to `clip`. What `how` says of scale and step is set here.
    double descend(Team& team, int member, UpdateStep how, double clip);
    /// After that `run`, once: the next step begins.
    void count_step() { ++moments_.steps; }

private:
    void reduce(int member);

    FlatNumbers& parameters_;
    std::shared_ptr<FlatNumbers> mean_;
    std::vector<std::shared_ptr<FlatNumbers>> own_;
    std::vector<double> squares_;  // of each member's slice of the gradient
    OptimiserState moments_;
    std::vector<std::vector<UpdatePart>> hands_;  // each member's parts of the update
};

}  // namespace vitrine
