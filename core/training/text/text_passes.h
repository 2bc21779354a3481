#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/base/denormals.h"
#include "core/base/team.h"
#include "core/text/text_batch.h"
#include "core/text/text_loss.h"
#include "core/training/crew.h"
#include "core/training/passes.h"
#include "core/training/text/text_recipe.h"

namespace vitrine {

/// Passes of text Transformers. Sentence i of a run is the set's sentence i.
template <>
class Passes<Texts> {
public:
    using Denormals = FlushDenormals;

    Passes(const TextRecipe& recipe, Team& team);

    FlatNumbers& parameters() { return parameters_; }
    std::vector<UpdatePart> parts() const;
    std::shared_ptr<FlatNumbers> make_gradient_buffer() const;

    // By every member of the team, in this order.
    void draw(std::uint64_t batch, int member);
    void learn(std::uint64_t batch, int member, FlatNumbers& gradients);
    void draw_ahead(std::uint64_t) {}
    /// Once all members are done.
    void finish(std::uint64_t batch, StepReport& report) const;
    void restart() {}

    /// The share of held-out examples that are right, with pairs of words that no run learns from.
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

/// The set of examples that runs are measured on, of another seed than any of theirs.
TextSet measured_set(TextTask task, TextLanguage to, std::uint64_t seed);

}  // namespace vitrine
