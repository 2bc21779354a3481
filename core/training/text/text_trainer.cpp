#include "core/training/text/text_trainer.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include "core/base/clock.h"
#include "core/base/denormals.h"
#include "core/base/random.h"
#include "core/text/text_backward.h"
#include "core/text/text_forward.h"
#include "core/text/text_loss.h"
#include "core/training/descent.h"

namespace vitrine {

namespace {

/// What one thread works on in a step.
struct TextMember {
    TextBatch batch;
    TextLoss loss;
    TrainerTimes times;
};

/// Zeros for the mean gradient and each member's own.
std::vector<std::shared_ptr<FlatNumbers>> text_rooms(const TextConfig& config, int members) {
    std::vector<std::shared_ptr<FlatNumbers>> rooms;
    for (int i = 0; i <= members; ++i) rooms.push_back(std::make_shared<FlatTextWeights>(config));
    return rooms;
}

/// The numbers of a model's weights, to be changed; the model's weights then show these.
FlatTextWeights taken_over(TextModel& model) {
    FlatTextWeights flat(model.config);
    const std::vector<NamedParameter> from = parameters_of(model.weights), to = parameters_of(flat.weights());
    for (std::size_t i = 0; i < to.size(); ++i)
        std::copy_n(from[i].parameter.data(), from[i].parameter.size(), flat.at(to[i].parameter));
    model.weights = flat.weights();
    return flat;
}

}  // namespace

struct TextTrainer::Impl {
    Impl(const TextRecipe& r, Crew crew)
        : recipe(r),
          team(std::max(1, std::min(crew.threads, r.batch)), crew.niceness),
          model(untrained_text_model(r)),
          parameters(taken_over(model)),
          descent(parameters, update_parts(parameters, parameters_of(parameters.weights()), r.optimiser),
                  text_rooms(model.config, team.size())),
          members(static_cast<std::size_t>(team.size())) {}

    TextStepReport step(double progress);
    void draw(int member);
    void learn(int member);
    FlatTextWeights& gradients_of(int member) { return static_cast<FlatTextWeights&>(descent.gradients_of(member)); }

    TextRecipe recipe;
    Team team;
    TextModel model;
    FlatTextWeights parameters;  // the model's weights
    Descent descent;
    std::vector<TextMember> members;
    TrainerTimes times;
};

/// A member's share of the batch. Sentence i of a run is the set's sentence i.
void TextTrainer::Impl::draw(int member) {
    const auto batch = static_cast<std::size_t>(recipe.batch);
    const auto [first, last] = share_of(batch, member, team.size());
    const std::uint64_t number = descent.moments().steps * batch + first;
    const std::vector<TextExample> examples =
        draw_examples({recipe.sentences, TextStream::learning, 0}, number, static_cast<int>(last - first));
    members[static_cast<std::size_t>(member)].batch = text_batch(model, examples);
}

/// Forward and backward over it, once every member's batch is drawn: means are over all of them.
void TextTrainer::Impl::learn(int member) {
    TextMember& own = members[static_cast<std::size_t>(member)];
    std::size_t rows = 0;
    for (const TextMember& m : members) rows += m.batch.gold.size();
    const TextTrace trace = text_forward(model, own.batch);
    own.loss = text_loss(trace, {.label_smoothing = recipe.label_smoothing,
                                 .scale = 1.0 / static_cast<double>(rows),
                                 .it_scale = recipe.it_weight / recipe.batch,
                                 .look_scale = recipe.it_weight / recipe.batch});
    text_backward({.model = model, .trace = trace}, own.loss.gradient, gradients_of(member));
}

TextStepReport TextTrainer::Impl::step(double progress) {
    const UpdateStep how{.learning_rate = learning_rate_at(recipe, progress),
                         .weight_decay = recipe.weight_decay,
                         .momentum = recipe.momentum,
                         .vector_rate = recipe.vector_rate,
                         .second_beta = 0.98,
                         .epsilon = 1e-9};
    TextStepReport report;
    team.run([&](int member) {
        const FlushDenormals flush;
        TrainerTimes& t = members[static_cast<std::size_t>(member)].times;
        const auto start = Clock::now();
        draw(member);
        const double drawn = seconds_since(start);
        team.meet();
        learn(member);
        const double learned = seconds_since(start);
        team.meet();
        const double norm = descent.descend(team, member, how, recipe.clip);
        if (member == 0) report.gradient_norm = norm;
        t.drawing += drawn;
        t.passes += learned - drawn;
        t.updates += seconds_since(start) - learned;
    });
    descent.count_step();
    times = {};
    int rows = 0, its = 0;
    for (const TextMember& m : members) {
        report.loss += m.loss.sum;
        report.accuracy += m.loss.correct;
        report.it_loss += m.loss.it_sum;
        rows += m.loss.rows;
        its += m.loss.it_rows;
        times.drawing += m.times.drawing;
        times.passes += m.times.passes;
        times.updates += m.times.updates;
    }
    report.loss /= rows;
    report.accuracy /= rows;
    report.it_loss /= std::max(1, its);
    report.step = descent.moments().steps;
    report.sentences = report.step * static_cast<std::uint64_t>(recipe.batch);
    report.learning_rate = how.learning_rate;
    return report;
}

TextTrainer::TextTrainer(const TextRecipe& recipe, Crew crew) : impl_(std::make_unique<Impl>(recipe, crew)) {}
TextTrainer::~TextTrainer() = default;

const TextRecipe& TextTrainer::recipe() const { return impl_->recipe; }
std::uint64_t TextTrainer::sentences() const {
    return impl_->descent.moments().steps * static_cast<std::uint64_t>(impl_->recipe.batch);
}
TextStepReport TextTrainer::step(double progress) { return impl_->step(progress); }
double TextTrainer::progress() const {
    return static_cast<double>(sentences()) / static_cast<double>(impl_->recipe.promised_sentences.value_or(1));
}
const FlatTextWeights& TextTrainer::gradients() const {
    return static_cast<const FlatTextWeights&>(impl_->descent.gradients());
}
const FlatTextWeights& TextTrainer::parameters() const { return impl_->parameters; }
const TrainerTimes& TextTrainer::times() const { return impl_->times; }
const OptimiserState& TextTrainer::moments() const { return impl_->descent.moments(); }

TextModel TextTrainer::model() const {
    TextModel copy = impl_->model;
    copy.weights = FlatTextWeights(impl_->parameters).weights();
    return copy;
}

TextScore TextTrainer::held_out(int count) {
    const TextSet& set = impl_->recipe.sentences;
    return score(impl_->model, {measured_set(set.task, set.to, 0), TextStream::held_out, count}, impl_->team);
}

void TextTrainer::restore(const FlatTextWeights& parameters, const OptimiserState& moments) {
    std::copy(parameters.values().begin(), parameters.values().end(), impl_->parameters.values().begin());
    impl_->descent.restore(moments);
}

TextSet measured_set(TextTask task, TextLanguage to, std::uint64_t seed) {
    return {task, to, Random(0x6865'6C64'5F6F'7574ULL ^ (seed * 0x9E37'79B9'7F4A'7C15ULL)).next()};
}

}  // namespace vitrine
