#include <algorithm>

#include "app/commands/learning/driven_run.h"
#include "app/commands/outputs.h"
#include "app/rooms/state.h"
#include "app/workspace/library.h"
#include "core/training/fine_tuning.h"
#include "core/training/runs/run_folder.h"
#include "core/vit/checkpoint/save.h"

namespace vitrine {

namespace {

constexpr const char* picture_run_files[] = {"training.safetensors", "metrics.jsonl", "model.safetensors",
                                             "config.json", "preprocessor_config.json"};

void take_shape(Config& c, const TrainOptions& o) {
    if (o.size > 0) c.image_height = c.image_width = o.size;
    c.patch_size = o.patch;
    take_widths(c, o);
    c.blocks = o.blocks.value_or(c.blocks);
    c.positions = o.no_positions ? Positions::none : Positions::learned;
}

/// `from`: the model that the run begins with; null: from nothing.
Recipe recipe_of(const TrainOptions& o, const Model* from) {
    Recipe r = standard_recipe();
    Config& c = r.model;
    if (from != nullptr) {
        c = from->config;
        c.image_height = c.image_width = o.size > 0 ? o.size : c.image_height;  // drawn pictures are square
        r.from = from->provenance.name;
    } else {
        take_shape(c, o);
    }
    choose_pictures(r, {.seed = o.seed, .pairs = o.pairs, .scenes = *value_in(scenes_names, o.scenes)});
    set_difficulty(r.pictures, o.difficulty);
    if (o.distinct > 0) r.distinct_pictures = o.distinct;
    take_optimiser(r, o);
    r.dropout = o.dropout;
    if (o.seconds > 0)
        r.promised_seconds = o.seconds;
    else
        r.promised_pictures = o.pictures;
    try {
        check(r);
    } catch (const Error& error) {
        throw UsageError(error.what());
    }
    return r;
}

ResumedRun begin_run(const TrainOptions& o) {
    const ModelSource source = model_source(o.from, {});
    check_run_folder(o, guard_of(o.force, source), picture_run_files);
    ResumedRun run;
    const std::shared_ptr<const Model> from = o.from.empty() ? nullptr : open_model(source);
    run.state.recipe = recipe_of(o, from.get());
    run.state.threads = threads_of_run(o, run.state.recipe.batch);
    run.trainer = std::make_unique<Trainer>(run.state.recipe, Crew{run.state.threads, 0});
    if (from) run.trainer->restore(begun_from(*from, run.state.recipe), OptimiserState(run.state.recipe.model));
    return run;
}

ResumedRun resume_picture_run(const TrainOptions& o) {
    enter_run_folder(o, picture_run_files);
    return resume_run(o.out);
}

class PictureRun : public DrivenRun {
public:
    explicit PictureRun(ResumedRun run) : run_(std::move(run)), trainer_(*run_.trainer) {}

    const char* things() const override { return "pictures"; }
    const char* tried_on() const override { return "fresh pictures"; }
    RunProgress begun() const override {
        const RunState& s = run_.state;
        return {trainer_.moments().steps, s.threads, s.seconds, s.running_loss};
    }
    std::uint64_t seen() const override { return trainer_.pictures(); }
    double promised_share() const override { return trainer_.progress(); }
    std::optional<double> promised_seconds() const override { return trainer_.recipe().promised_seconds; }
    std::optional<std::uint64_t> distinct() const override { return trainer_.recipe().distinct_pictures; }

    Step step(double progress) override {
        const StepReport r = trainer_.step(progress);
        return {r.step, r.loss, r.learning_rate, r.gradient_norm};
    }
    nlohmann::ordered_json tries(int count) override {
        nlohmann::ordered_json row = {{"accuracy", trainer_.accuracy(count)}};
        if (distinct()) row["training_accuracy"] = trainer_.training_accuracy(count);
        return row;
    }
    void save(const std::filesystem::path& folder, const RunProgress& p, Precision precision) const override {
        save_run(folder, trainer_, {trainer_.recipe(), p.threads, p.seconds, p.running_loss});
        save_model(trainer_.model(), folder, precision);
    }
    const TrainerTimes& times() const override { return trainer_.times(); }

private:
    ResumedRun run_;
    Trainer& trainer_;
};

}  // namespace

std::unique_ptr<DrivenRun> open_picture_run(const TrainOptions& o) {
    return std::make_unique<PictureRun>(o.resume ? resume_picture_run(o) : begin_run(o));
}

}  // namespace vitrine
