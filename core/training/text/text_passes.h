#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/base/denormals.h"
#include "core/base/team.h"
#include "core/text/text_batch.h"
#include "core/text/text_loss.h"
#include "core/training/crew.h"
#include "core/training/optimiser.h"
#include "core/training/passes.h"
#include "core/training/text/text_recipe.h"

namespace vitrine {

/// Passes of text Transformers. A run's sentence i is sentence i of the set.
template <>
class Passes<Texts> {
public:
    using Denormals = FlushDenormals;

    Passes(const TextRecipe& recipe, Team& team);

    FlatNumbers& parameters() { return parameters_; }
    std::vector<UpdatePart> parts() const;
    std::shared_ptr<FlatNumbers> make_gradient_buffer() const;

    // Called by every member of the team, in this order.
    void draw(std::uint64_t batch, int member);
    void learn(std::uint64_t batch, int member, FlatNumbers& gradients);
    void draw_ahead(std::uint64_t) {}
    /// Called once all members are done.
    void finish(std::uint64_t batch, StepReport& report) const;
    void restart() {}

    /// Accuracy on held-out examples, with pairs of words that never appear in training.
    double accuracy(int count);
    std::optional<double> training_accuracy(int) { return std::nullopt; }

    FlatTextWeights& weights() { return parameters_; }
    const TextModel& model() const { return model_; }

private:
    struct Member {
        TextBatch batch;
        TextLoss loss;
    };

    const TextRecipe& recipe_;
    Team& team_;
    TextModel model_;
    FlatTextWeights parameters_;  // the model's weights
    std::vector<Member> members_;
};

/// The set of test examples: its seed is derived from `seed`, and no run uses it.
TextSet measured_set(TextTask task, TextLanguage to, std::uint64_t seed);

}  // namespace vitrine
