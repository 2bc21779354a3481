#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/training/crew.h"
#include "core/training/learner.h"
#include "core/training/pixels.h"
#include "core/training/recipe.h"

namespace vitrine {

/// What one step did.
struct StepReport {
    std::uint64_t step = 0, pictures = 0;  // so far
    double loss = 0;                       // mean over the batch, in nats
    double accuracy = 0;                   // of the batch, before the step
    double learning_rate = 0;
    double gradient_norm = 0;  // before clipping
};

/// A model while it learns: one step is a batch of pictures, forward, backward, update. Every thread takes its
/// share of the batch, with products on that thread alone.
class Trainer {
public:
    using Crew = vitrine::Crew;
    explicit Trainer(const Recipe& recipe, Crew crew);
    /// Of any net that takes pictures of the recipe's size and classes.
    Trainer(const Recipe& recipe, std::unique_ptr<Learner> learner, Crew crew);
    ~Trainer();

    const Recipe& recipe() const;
    std::uint64_t pictures() const;

    /// One batch; `progress` (0 … 1) is the share of the run that is over. The caller's thread is one of the crew.
    StepReport step(double progress);
    /// The share that is over, where a number of pictures is promised.
    double progress() const;

    // Of a Vision Transformer alone, as are checkpoints; of another net these throw Error.

    /// The last step's mean gradient.
    const FlatWeights& gradients() const;
    const FlatWeights& parameters() const;
    /// The model as it stands, with weights of its own.
    Model model() const;

    // Of any net.

    /// The share of `count` fresh pictures of another stream that the model as it stands names rightly.
    double accuracy(int count);
    /// The same of `count` of the distinct pictures that the run learns from, or of all where they are fewer; without
    /// dropout, as on fresh ones. Only where they run out.
    double training_accuracy(int count);

    const TrainerTimes& times() const;

    // Checkpoints.
    const OptimiserState& moments() const;
    void restore(const FlatWeights& parameters, const OptimiserState& moments);

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

/// The stream of pictures that no run learns from.
PictureSet fresh_pictures(PictureSet set, std::uint64_t seed);

}  // namespace vitrine
