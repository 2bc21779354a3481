#include "core/training/text/text_passes.h"

#include <algorithm>

#include "core/base/random.h"
#include "core/text/text_backward.h"
#include "core/text/text_forward.h"
#include "core/training/optimiser.h"
#include "core/training/own_weights.h"
#include "core/training/text/text_score.h"

namespace vitrine {

Passes<Texts>::Passes(const TextRecipe& recipe, Team& team)
    : recipe_(recipe),
      team_(team),
      model_(untrained_text_model(recipe)),
      parameters_(own_weights<FlatTextWeights>(model_)),
      members_(static_cast<std::size_t>(team.size())) {}

std::vector<UpdatePart> Passes<Texts>::parts() const {
    return update_parts(parameters_, parameters_of(parameters_.weights()), recipe_.optimiser);
}

std::shared_ptr<FlatNumbers> Passes<Texts>::make_gradient_buffer() const {
    return std::make_shared<FlatTextWeights>(model_.config);
}

void Passes<Texts>::draw(std::uint64_t batch, int member) {
    const auto size = static_cast<std::size_t>(recipe_.batch);
    const auto [first, last] = share_of(size, member, team_.size());
    const std::vector<TextExample> examples = draw_examples({recipe_.sentences, TextStream::learning, 0},
                                                            batch * size + first, static_cast<int>(last - first));
    members_[static_cast<std::size_t>(member)].batch = text_batch(model_, examples);
}

/// Waits until every member has drawn its share, since the loss is a mean over all of them.
void Passes<Texts>::learn(std::uint64_t, int member, FlatNumbers& gradients) {
    team_.meet();
    Member& own = members_[static_cast<std::size_t>(member)];
    std::size_t rows = 0;
    for (const Member& m : members_) rows += m.batch.gold.size();
    const TextTrace trace = text_forward(model_, own.batch);
    own.loss = text_loss(trace, {.label_smoothing = recipe_.label_smoothing,
                                 .scale = 1.0 / static_cast<double>(rows),
                                 .it_scale = recipe_.it_weight / recipe_.batch,
                                 .look_scale = recipe_.it_weight / recipe_.batch});
    text_backward({.model = model_, .trace = trace}, own.loss.gradient, static_cast<FlatTextWeights&>(gradients));
}

void Passes<Texts>::finish(std::uint64_t, StepReport& report) const {
    int rows = 0, its = 0;
    for (const Member& m : members_) {
        report.loss += m.loss.sum;
        report.accuracy += m.loss.correct;
        report.it_loss += m.loss.it_sum;
        rows += m.loss.rows;
        its += m.loss.it_rows;
    }
    report.loss /= rows;
    report.accuracy /= rows;
    report.it_loss /= std::max(1, its);
}

double Passes<Texts>::accuracy(int count) {
    const TextSet& set = recipe_.sentences;
    return score(model_, {measured_set(set.task, set.to, 0), TextStream::held_out, count}, team_).share();
}

TextSet measured_set(TextTask task, TextLanguage to, std::uint64_t seed) {
    return {task, to, Random(0x6865'6C64'5F6F'7574ULL ^ (seed * 0x9E37'79B9'7F4A'7C15ULL)).next()};
}

}  // namespace vitrine
