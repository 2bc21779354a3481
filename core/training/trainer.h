#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>

#include "core/training/crew.h"
#include "core/training/families.h"

namespace vitrine {

class Learner;
struct OptimiserState;

/// A model in training: one step is a batch of examples, forward pass, backward pass, update. Each thread processes a
/// share of the batch, with single-threaded products. Steps with the same number of threads give the same bits.
template <class Family>
class Trainer {
public:
    using Recipe = typename Family::Recipe;
    using Weights = typename Family::Weights;

    Trainer(const Recipe& recipe, Crew crew);
    /// Trains another net, which must have the recipe's picture size and classes.
    Trainer(const Recipe& recipe, std::unique_ptr<Learner> learner, Crew crew) requires std::same_as<Family, Pictures>;
    ~Trainer();

    const Recipe& recipe() const;
    /// The number of examples trained on so far.
    std::uint64_t seen() const;

    /// Trains on one batch; `progress` (0 … 1) is the completed share of the run. The calling thread works in the crew.
    StepReport step(double progress);
    /// The completed share of the run; only if its number of examples is fixed.
    double progress() const;

    /// The current model's accuracy on `count` unseen examples: pictures of another set, or texts with pairs of words
    /// that never appear in training.
    double accuracy(int count);
    /// The same on `count` of the run's distinct training pictures, or all if fewer, without dropout. None if no
    /// picture is repeated.
    std::optional<double> training_accuracy(int count);

    /// Times of all threads together, over all steps so far.
    const TrainerTimes& times() const;

    // For pictures, only a Vision Transformer has these; with another net they throw Error.

    /// The last step's mean gradient.
    const Weights& gradients() const;
    const Weights& parameters() const;
    /// The current model, with its own copy of the weights.
    typename Family::Model model() const;

    // Checkpoints.
    const OptimiserState& moments() const;
    void restore(const Weights& parameters, const OptimiserState& moments);

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

template <class Recipe>
Trainer(const Recipe&, Crew) -> Trainer<typename Recipe::Family>;
Trainer(const Recipe&, std::unique_ptr<Learner>, Crew)->Trainer<Pictures>;

extern template class Trainer<Pictures>;
extern template class Trainer<Texts>;

}  // namespace vitrine
