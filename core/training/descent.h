#pragma once

#include <memory>
#include <vector>

#include "core/base/team.h"
#include "core/training/optimiser.h"

namespace vitrine {

/// The second half of a training step, independent of the model: sums the gradients of a team's members in a fixed
/// order, clips the sum and applies it. Results are identical for the same number of members.
class Descent {
public:
    /// `buffers`: zeros in the parameters' shape, first for the mean gradient, then one for each member's own gradient.
    Descent(FlatNumbers& parameters, const std::vector<UpdatePart>& parts,
            std::vector<std::shared_ptr<FlatNumbers>> buffers);

    /// A member's own share of the gradient, to be filled in.
    FlatNumbers& gradients_of(int member) { return *own_[static_cast<std::size_t>(member)]; }
    const FlatNumbers& gradients() const { return *mean_; }
    const OptimiserState& moments() const { return moments_; }
    void restore(const OptimiserState& moments) { moments_ = moments; }

    /// Called within a team's `run` by every member after it has filled in its gradient: updates the parameters at the
    /// rate given in `how`, and returns the gradient's norm before clipping to `clip`. Sets scale and step of `how`
    /// itself.
    double descend(Team& team, int member, UpdateStep how, double clip);
    /// Called once after that `run`: starts the next step.
    void count_step() { ++moments_.steps; }

private:
    void reduce(int member);

    FlatNumbers& parameters_;
    std::shared_ptr<FlatNumbers> mean_;
    std::vector<std::shared_ptr<FlatNumbers>> own_;
    std::vector<double> squares_;  // by member: sum of squares of its slice of the gradient
    OptimiserState moments_;
    std::vector<std::vector<UpdatePart>> parts_by_member_;  // by member: its parts of the update
};

}  // namespace vitrine
