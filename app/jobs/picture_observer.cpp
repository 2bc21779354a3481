#include "app/jobs/picture_observer.h"

#include "core/training/runs/example_pictures.h"

namespace vitrine {

namespace {

constexpr std::size_t most_shown = 2;                           // runs shown with their models
constexpr std::uint64_t first_check = 256, check_every = 1000;  // pictures seen; every 1000 + a tenth of them

}  // namespace

Observer<Pictures>::Observer(const std::vector<Recipe>& recipes, const std::string&)
    : shows_models_(recipes.size() <= most_shown) {}

void Observer<Pictures>::begin(LiveRun<Pictures>& run, std::size_t place) const {
    run.next_check = first_check + place * static_cast<std::uint64_t>(run.recipe.batch);  // staggered
}

void Observer<Pictures>::measure(LiveRun<Pictures>& run, std::size_t, double) const {
    const int count = !shows_models_ ? 200 : run.recipe.distinct_pictures ? 400 : 0;  // pictures of each kind
    if (count == 0 || (run.report.seen < run.next_check && run.stage != RunStage::done)) return;
    auto longer = std::make_shared<LearningCurve>(*run.curve);
    longer->checked.push_back(static_cast<double>(run.report.seen));
    longer->unseen.push_back(run.trainer.accuracy(count));
    longer->training.push_back(run.trainer.training_accuracy(count).value_or(longer->unseen.back()));
    run.curve = std::move(longer);
    run.next_check = run.report.seen + check_every + run.report.seen / 10;
}

std::shared_ptr<const RunMoment<Pictures>> Observer<Pictures>::moment_of(const LiveRun<Pictures>& run,
                                                                         std::size_t) const {
    auto moment = std::make_shared<RunMoment<Pictures>>();
    static_cast<RunMomentBase<Pictures>&>(*moment) = run.moment(shows_models_);
    moment->accuracy = run.score.accuracy;
    if (!moment->model) return moment;
    const Model& model = *moment->model;
    if (run.stage != RunStage::diverged) look_at_examples(model, example_pictures(run.recipe.pictures.scenes), *moment);
    look_at_weights(model, run.trainer.parameters(), run.trainer.gradients(), *moment);
    if (run.report.step == run.restored) moment->blocks = run.inside;
    return moment;
}

Observer<Pictures>::Inside Observer<Pictures>::inside_of(const LiveRun<Pictures>& run) {
    PictureSight sight;
    look_at_weights(run.trainer.model(), run.trainer.parameters(), run.trainer.gradients(), sight);
    return sight.blocks;
}

}  // namespace vitrine
