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

/// A model while it learns: one step is a batch of examples, forward, backward, update. Every thread takes its share of
/// the batch, with products on that thread alone. A step with the same number of threads gives the same bits.
template <class Family>
class Trainer {
public:
    using Recipe = typename Family::Recipe;
    using Weights = typename Family::Weights;

    Trainer(const Recipe& recipe, Crew crew);
    /// Of any net that takes pictures of the recipe's size and classes.
    Trainer(const Recipe& recipe, std::unique_ptr<Learner> learner, Crew crew) requires std::same_as<Family, Pictures>;
    ~Trainer();

    const Recipe& recipe() const;
    /// Examples so far.
    std::uint64_t seen() const;

    /// One batch; `progress` (0 … 1) is the share of the run that is over. The caller's thread is one of the crew.
    StepReport step(double progress);
    /// The share that is over, where a number of examples is promised.
    double progress() const;

    /// The share of `count` examples of another stream that the model as it stands gets right: fresh pictures, or texts
    /// with pairs of words that no run learns from.
    double accuracy(int count);
    /// The same of `count` of the distinct pictures that the run learns from, or of all where they are fewer; without
    /// dropout, as on fresh ones. Only where they run out.
    std::optional<double> training_accuracy(int count);

    const TrainerTimes& times() const;

    // Of nets for pictures a Vision Transformer alone has these; of another net they throw Error.

    /// The last step's mean gradient.
    const Weights& gradients() const;
    const Weights& parameters() const;
    /// The model as it stands, with weights of its own.
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
