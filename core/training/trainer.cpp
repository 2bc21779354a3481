#include "core/training/trainer.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/base/clock.h"
#include "core/training/descent.h"
#include "core/training/picture_passes.h"
#include "core/training/text/text_passes.h"

namespace vitrine {

template <class Family>
struct Trainer<Family>::Impl {
    template <class... Net>
    Impl(const Recipe& r, Crew crew, Net... net)
        : recipe(r),
          team(std::max(1, std::min(crew.threads, r.batch)), crew.niceness),
          passes(recipe, team, std::move(net)...),
          descent(passes.parameters(), passes.parts(), make_gradient_buffers()),
          times_of(static_cast<std::size_t>(team.size())) {}

    StepReport step(double progress);
    std::uint64_t seen() const { return descent.moments().steps * static_cast<std::uint64_t>(recipe.batch); }

    /// Zeros for the mean gradient and for each member's own.
    std::vector<std::shared_ptr<FlatNumbers>> make_gradient_buffers() const {
        std::vector<std::shared_ptr<FlatNumbers>> buffers;
        for (int i = 0; i <= team.size(); ++i) buffers.push_back(passes.make_gradient_buffer());
        return buffers;
    }

    const Recipe recipe;
    Team team;
    Passes<Family> passes;
    Descent descent;
    std::vector<TrainerTimes> times_of;  // by member
    TrainerTimes times;
};

template <class Family>
StepReport Trainer<Family>::Impl::step(double progress) {
    const std::uint64_t batch = descent.moments().steps;
    const UpdateStep how{.learning_rate = learning_rate_at(recipe, progress),
                         .weight_decay = recipe.weight_decay,
                         .momentum = recipe.momentum,
                         .vector_rate = recipe.vector_rate,
                         .second_beta = Family::second_beta,
                         .epsilon = Family::epsilon};
    StepReport report;
    team.run([&](int member) {
        [[maybe_unused]] const typename Passes<Family>::Denormals denormals{};
        TrainerTimes& t = times_of[static_cast<std::size_t>(member)];
        const auto start = Clock::now();
        passes.draw(batch, member);
        const double drawn = seconds_since(start);
        passes.learn(batch, member, descent.gradients_of(member));
        const double learned = seconds_since(start);
        passes.draw_ahead(batch + 1);
        const double ahead = seconds_since(start);
        team.meet();
        const double met = seconds_since(start);
        const double norm = descent.descend(team, member, how, recipe.clip);
        if (member == 0) report.gradient_norm = norm;
        t.drawing += drawn + (ahead - learned);
        t.passes += learned - drawn;
        t.updates += seconds_since(start) - met;
    });
    passes.finish(batch, report);
    descent.count_step();
    times = {};
    for (const TrainerTimes& t : times_of) {
        times.drawing += t.drawing;
        times.passes += t.passes;
        times.updates += t.updates;
    }
    report.step = descent.moments().steps;
    report.seen = seen();
    report.learning_rate = how.learning_rate;
    return report;
}

template <class Family>
Trainer<Family>::Trainer(const Recipe& recipe, Crew crew) : impl_(std::make_unique<Impl>(recipe, crew)) {}

template <class Family>
Trainer<Family>::Trainer(const Recipe& recipe, std::unique_ptr<Learner> learner,
                         Crew crew) requires std::same_as<Family, Pictures> {
    if constexpr (std::same_as<Family, Pictures>)  // clang 14 makes it for every family
        impl_ = std::make_unique<Impl>(recipe, crew, std::move(learner));
}

template <class Family>
Trainer<Family>::~Trainer() = default;

template <class Family>
const typename Family::Recipe& Trainer<Family>::recipe() const {
    return impl_->recipe;
}

template <class Family>
std::uint64_t Trainer<Family>::seen() const {
    return impl_->seen();
}

template <class Family>
StepReport Trainer<Family>::step(double progress) {
    return impl_->step(progress);
}

template <class Family>
double Trainer<Family>::progress() const {
    return static_cast<double>(seen()) / static_cast<double>(impl_->recipe.promised_examples.value_or(1));
}

template <class Family>
double Trainer<Family>::accuracy(int count) {
    return impl_->passes.accuracy(count);
}

template <class Family>
std::optional<double> Trainer<Family>::training_accuracy(int count) {
    return impl_->passes.training_accuracy(count);
}

template <class Family>
const TrainerTimes& Trainer<Family>::times() const {
    return impl_->times;
}

template <class Family>
const typename Family::Weights& Trainer<Family>::gradients() const {
    parameters();  // throws Error for a net without these weights
    return static_cast<const Weights&>(impl_->descent.gradients());
}

template <class Family>
const typename Family::Weights& Trainer<Family>::parameters() const {
    return impl_->passes.weights();
}

template <class Family>
typename Family::Model Trainer<Family>::model() const {
    typename Family::Model copy = impl_->passes.model();
    copy.weights = Weights(parameters()).weights();
    return copy;
}

template <class Family>
const OptimiserState& Trainer<Family>::moments() const {
    return impl_->descent.moments();
}

template <class Family>
void Trainer<Family>::restore(const Weights& parameters, const OptimiserState& moments) {
    std::ranges::copy(parameters.values(), impl_->passes.weights().values().begin());
    impl_->descent.restore(moments);
    impl_->passes.restart();
}

template class Trainer<Pictures>;
template class Trainer<Texts>;

}  // namespace vitrine
