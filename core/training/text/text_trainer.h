#pragma once

#include <cstdint>
#include <memory>

#include "core/training/crew.h"
#include "core/training/text/text_recipe.h"
#include "core/training/text/text_score.h"

namespace vitrine {

/// What one step did. Losses are means, in nats.
struct TextStepReport {
    std::uint64_t step = 0, sentences = 0;  // so far
    double loss = 0;                        // over the words of the batch, or over its reviews
    double accuracy = 0;                    // of the next word or of the label, before the step
    double it_loss = 0;                     // of the auxiliary head, over the batch's "it"; 0 without one
    double learning_rate = 0;
    double gradient_norm = 0;  // before clipping
};

/// A text Transformer while it learns: one step is a batch of sentences, forward, backward, update. Every thread takes
/// its share of the batch and takes denormal numbers for 0. A step with the same number of threads gives the same bits.
class TextTrainer {
public:
    explicit TextTrainer(const TextRecipe& recipe, Crew crew);
    ~TextTrainer();

    const TextRecipe& recipe() const;
    std::uint64_t sentences() const;

    /// One batch; `progress` (0 … 1) is the share of the run that is over. The caller's thread is one of the crew.
    TextStepReport step(double progress);
    /// The share that is over, where a number of sentences is promised.
    double progress() const;

    /// The last step's mean gradient.
    const FlatTextWeights& gradients() const;
    const FlatTextWeights& parameters() const;
    /// The model as it stands, with weights of its own.
    TextModel model() const;
    /// How the model as it stands does on `count` examples with pairs of words that no run learns from.
    TextScore held_out(int count);

    const TrainerTimes& times() const;

    // Checkpoints.
    const OptimiserState& moments() const;
    void restore(const FlatTextWeights& parameters, const OptimiserState& moments);

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

/// The set of examples that runs are measured on, of another seed than any of theirs.
TextSet measured_set(TextTask task, TextLanguage to, std::uint64_t seed);

}  // namespace vitrine
