#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/team.h"
#include "core/training/crew.h"
#include "core/training/learner.h"
#include "core/training/passes.h"
#include "core/training/picture_queue.h"
#include "core/training/recipe.h"

namespace vitrine {

class VitLearner;

/// Passes of classifiers of pictures, whose batches idle threads draw in advance.
template <>
class Passes<Pictures> {
public:
    struct Denormals {};  // denormal numbers are kept

    /// `learner`: the net that is trained; null: the recipe's.
    Passes(const Recipe& recipe, Team& team, std::unique_ptr<Learner> learner = nullptr);

    FlatNumbers& parameters() { return learner_->parameters(); }
    std::vector<UpdatePart> parts() const { return learner_->parts(recipe_.optimiser); }
    std::shared_ptr<FlatNumbers> make_gradient_buffer() const { return learner_->make_gradient_buffer(); }

    // Called by every member of the team, in this order.
    void draw(std::uint64_t batch, int) { queue_.complete(batch); }
    void learn(std::uint64_t batch, int member, FlatNumbers& gradients);
    void draw_ahead(std::uint64_t next);
    /// Called once all members are done.
    void finish(std::uint64_t batch, StepReport& report);
    /// Drops pictures drawn in advance, before the run continues at another step.
    void restart();

    /// Accuracy on `count` unseen pictures; `training_accuracy`: on the run's own pictures, none if these are endless.
    double accuracy(int count);
    std::optional<double> training_accuracy(int count);

    // Only a Vision Transformer has these; for another net they throw Error.
    FlatWeights& weights();
    const Model& model();

private:
    struct Member {
        double loss = 0;
        int correct = 0;
    };
    VitLearner& vit();
    double accuracy_on(const PictureSet& set, int count);

    const Recipe& recipe_;
    Team& team_;
    std::unique_ptr<Learner> learner_;
    PictureQueue queue_;
    std::vector<Member> members_;
    std::atomic<int> learning_;  // members still busy in this step
};

}  // namespace vitrine
