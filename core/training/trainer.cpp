#include "core/training/trainer.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>

#include "core/base/error.h"
#include "core/base/random.h"
#include "core/base/team.h"
#include "core/training/cnn_learner.h"
#include "core/training/descent.h"
#include "core/training/picture_queue.h"
#include "core/training/vit_learner.h"

namespace vitrine {

namespace {

double seconds_now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// What one thread works on.
struct Member {
    double loss = 0;
    int correct = 0;
    TrainerTimes times;
};

/// Zeros for the mean gradient and each member's own.
std::vector<std::shared_ptr<FlatNumbers>> rooms_of(const Learner& learner, int members) {
    std::vector<std::shared_ptr<FlatNumbers>> rooms;
    for (int i = 0; i <= members; ++i) rooms.push_back(learner.room());
    return rooms;
}

std::unique_ptr<Learner> learner_of(const Recipe& recipe) {
    if (recipe.net == Net::vit) return std::make_unique<VitLearner>(untrained_model(recipe), recipe.dropout);
    CnnConfig config = standard_cnn(recipe.model.classes);
    config.image_size = recipe.model.image_height;
    return std::make_unique<CnnLearner>(config, recipe.seed);
}

}  // namespace

struct Trainer::Impl {
    Impl(const Recipe& r, std::unique_ptr<Learner> l, Crew crew)
        : recipe(r),
          team(std::max(1, std::min(crew.threads, r.batch)), crew.niceness),
          learner(std::move(l)),
          descent(learner->parameters(), learner->parts(r.optimiser), rooms_of(*learner, team.size())),
          queue({r.pictures, r.distinct_pictures.value_or(0)}, r.model.image_height, r.batch),
          members(static_cast<std::size_t>(team.size())) {}

    StepReport step(double progress);
    void learn(int member, std::uint64_t batch);
    double accuracy(const PictureSet& set, int count);
    /// Throws Error where another net learns.
    VitLearner& vit() const;

    Recipe recipe;
    Team team;
    std::unique_ptr<Learner> learner;
    Descent descent;
    PictureQueue queue;
    std::vector<Member> members;
    std::atomic<int> busy = 0;
    TrainerTimes times;
};

VitLearner& Trainer::Impl::vit() const {
    if (auto* const vit = dynamic_cast<VitLearner*>(learner.get())) return *vit;
    throw Error(
        "the net of this run is no Vision Transformer, so that it has no such weights; ask a run of one for them");
}

/// Forward and backward over a member's share of the batch.
void Trainer::Impl::learn(int member, std::uint64_t batch) {
    Member& own = members[static_cast<std::size_t>(member)];
    const auto [first, last] = share_of(static_cast<std::size_t>(recipe.batch), member, team.size());
    LabelledPictures pictures;
    for (std::size_t i = first; i < last; ++i) {
        pictures.images.push_back(queue.pixels(batch, static_cast<int>(i)));
        pictures.labels.push_back(queue.label(batch, static_cast<int>(i)));
    }
    pictures.seed = Random(recipe.seed ^ (batch * static_cast<std::uint64_t>(recipe.batch) + first)).next();
    const Loss loss =
        learner->learn(pictures, {recipe.label_smoothing, 1.0 / recipe.batch}, descent.gradients_of(member));
    own.loss = loss.sum;
    own.correct = loss.correct;
}

StepReport Trainer::Impl::step(double progress) {
    const std::uint64_t batch = descent.moments().steps;
    const UpdateStep how{.learning_rate = learning_rate_at(recipe, progress),
                         .weight_decay = recipe.weight_decay,
                         .momentum = recipe.momentum,
                         .vector_rate = recipe.vector_rate};
    StepReport report;
    busy = team.size();
    team.run([&](int member) {
        TrainerTimes& t = members[static_cast<std::size_t>(member)].times;
        const double start = seconds_now();
        queue.complete(batch);
        const double drawn = seconds_now();
        learn(member, batch);
        const double learned = seconds_now();
        --busy;
        queue.draw_ahead(batch + 1, [&] { return busy == 0; });
        const double ahead = seconds_now();
        team.meet();
        const double met = seconds_now();
        const double norm = descent.descend(team, member, how, recipe.clip);
        if (member == 0) report.gradient_norm = norm;
        t.drawing += (drawn - start) + (ahead - learned);
        t.passes += learned - drawn;
        t.updates += seconds_now() - met;
    });
    queue.release(batch);
    descent.count_step();
    times = {};
    for (const Member& m : members) {
        report.loss += m.loss / recipe.batch;
        report.accuracy += static_cast<double>(m.correct) / recipe.batch;
        times.drawing += m.times.drawing;
        times.passes += m.times.passes;
        times.updates += m.times.updates;
    }
    report.step = descent.moments().steps;
    report.pictures = report.step * static_cast<std::uint64_t>(recipe.batch);
    report.learning_rate = how.learning_rate;
    return report;
}

Trainer::Trainer(const Recipe& recipe, Crew crew) : Trainer(recipe, learner_of(recipe), crew) {}
Trainer::Trainer(const Recipe& recipe, std::unique_ptr<Learner> learner, Crew crew)
    : impl_(std::make_unique<Impl>(recipe, std::move(learner), crew)) {}
Trainer::~Trainer() = default;

const Recipe& Trainer::recipe() const { return impl_->recipe; }
std::uint64_t Trainer::pictures() const {
    return impl_->descent.moments().steps * static_cast<std::uint64_t>(impl_->recipe.batch);
}
StepReport Trainer::step(double progress) { return impl_->step(progress); }
double Trainer::progress() const {
    return static_cast<double>(pictures()) / static_cast<double>(impl_->recipe.promised_pictures.value_or(1));
}
const FlatWeights& Trainer::gradients() const {
    impl_->vit();  // whose gradients have its weights' layout
    return static_cast<const FlatWeights&>(impl_->descent.gradients());
}
const FlatWeights& Trainer::parameters() const { return impl_->vit().parameters(); }
const TrainerTimes& Trainer::times() const { return impl_->times; }
const OptimiserState& Trainer::moments() const { return impl_->descent.moments(); }

Model Trainer::model() const {
    Model copy = impl_->vit().model();
    copy.weights = FlatWeights(impl_->vit().parameters()).weights();
    return copy;
}

void Trainer::restore(const FlatWeights& parameters, const OptimiserState& moments) {
    FlatWeights& own = impl_->vit().parameters();
    std::copy(parameters.values().begin(), parameters.values().end(), own.values().begin());
    impl_->descent.restore(moments);
    impl_->queue.release(0);  // what was drawn ahead belongs to another place of the stream
    impl_->queue.release(1);
}

double Trainer::accuracy(int count) { return impl_->accuracy(fresh_pictures(impl_->recipe.pictures, 0), count); }

double Trainer::training_accuracy(int count) {
    const auto all = static_cast<double>(impl_->recipe.distinct_pictures.value_or(1));
    return impl_->accuracy(impl_->recipe.pictures, static_cast<int>(std::min<double>(count, all)));
}

/// Of the first `count` pictures of a set.
double Trainer::Impl::accuracy(const PictureSet& set, int count) {
    constexpr int at_once = 16;
    const int size = recipe.model.image_height;
    std::atomic<int> next = 0, correct = 0;
    team.run([&](int) {
        std::vector<std::vector<std::uint8_t>> pixels(
            at_once, std::vector<std::uint8_t>(static_cast<std::size_t>(size) * static_cast<std::size_t>(size) * 3));
        for (int first = next.fetch_add(at_once); first < count; first = next.fetch_add(at_once)) {
            std::vector<const std::uint8_t*> images;
            std::vector<int> labels;
            for (int i = first; i < std::min(first + at_once, count); ++i) {
                std::vector<std::uint8_t>& own = pixels[static_cast<std::size_t>(i - first)];
                labels.push_back(draw_pixels({set, static_cast<std::uint64_t>(i), size, {}}, own.data()));
                images.push_back(own.data());
            }
            correct += cross_entropy(learner->logits(images), labels, {}).correct;
        }
    });
    return static_cast<double>(correct) / count;
}

PictureSet fresh_pictures(PictureSet set, std::uint64_t seed) {
    set.mixed = false;  // they are measured at one difficulty
    set.seed = Random(set.seed ^ 0x66726573685F7069ULL ^ (seed * 0x9E3779B97F4A7C15ULL)).next();
    return set;
}

}  // namespace vitrine
