#include "core/training/picture_passes.h"

#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "core/base/random.h"
#include "core/training/cnn_learner.h"
#include "core/training/vit_learner.h"

namespace vitrine {

namespace {

std::unique_ptr<Learner> learner_of(const Recipe& recipe) {
    if (recipe.net == Net::vit) return std::make_unique<VitLearner>(untrained_model(recipe), recipe.dropout);
    CnnConfig config = standard_cnn(recipe.model.classes);
    config.image_size = recipe.model.image_height;
    return std::make_unique<CnnLearner>(config, recipe.seed);
}

}  // namespace

Passes<Pictures>::Passes(const Recipe& recipe, Team& team, std::unique_ptr<Learner> learner)
    : recipe_(recipe),
      team_(team),
      learner_(learner ? std::move(learner) : learner_of(recipe)),
      queue_({recipe.pictures, recipe.distinct_pictures.value_or(0)}, recipe.model.image_height, recipe.batch),
      members_(static_cast<std::size_t>(team.size())),
      learning_(team.size()) {}

void Passes<Pictures>::learn(std::uint64_t batch, int member, FlatNumbers& gradients) {
    const auto [first, last] = share_of(static_cast<std::size_t>(recipe_.batch), member, team_.size());
    LabelledPictures pictures;
    for (std::size_t i = first; i < last; ++i) {
        pictures.images.push_back(queue_.pixels(batch, static_cast<int>(i)));
        pictures.labels.push_back(queue_.label(batch, static_cast<int>(i)));
    }
    pictures.seed = Random(recipe_.seed ^ (batch * static_cast<std::uint64_t>(recipe_.batch) + first)).next();
    const Loss loss = learner_->learn(pictures, {recipe_.label_smoothing, 1.0 / recipe_.batch}, gradients);
    members_[static_cast<std::size_t>(member)] = {loss.sum, loss.correct};
    --learning_;
}

void Passes<Pictures>::draw_ahead(std::uint64_t next) {
    queue_.draw_ahead(next, [&] { return learning_ == 0; });
}

void Passes<Pictures>::finish(std::uint64_t batch, StepReport& report) {
    queue_.release(batch);
    learning_ = team_.size();
    for (const Member& m : members_) {
        report.loss += m.loss / recipe_.batch;
        report.accuracy += static_cast<double>(m.correct) / recipe_.batch;
    }
}

void Passes<Pictures>::restart() {
    queue_.release(0);
    queue_.release(1);
}

VitLearner& Passes<Pictures>::vit() {
    if (auto* const vit = dynamic_cast<VitLearner*>(learner_.get())) return *vit;
    throw Error("the net of this run is not a Vision Transformer, so it has no such weights; use a run that has one");
}

FlatWeights& Passes<Pictures>::weights() { return vit().parameters(); }

const Model& Passes<Pictures>::model() { return vit().model(); }

double Passes<Pictures>::accuracy(int count) { return accuracy_on(fresh_pictures(recipe_.pictures, 0), count); }

std::optional<double> Passes<Pictures>::training_accuracy(int count) {
    if (!recipe_.distinct_pictures) return std::nullopt;
    const auto all = static_cast<double>(*recipe_.distinct_pictures);
    return accuracy_on(recipe_.pictures, static_cast<int>(std::min<double>(count, all)));
}

/// Accuracy on the first `count` pictures of a set.
double Passes<Pictures>::accuracy_on(const PictureSet& set, int count) {
    constexpr int at_once = 16;
    const int size = recipe_.model.image_height;
    std::atomic<int> next = 0, correct = 0;
    team_.run([&](int) {
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
            correct += cross_entropy(learner_->logits(images), labels, {}).correct;
        }
    });
    return static_cast<double>(correct) / count;
}

}  // namespace vitrine
