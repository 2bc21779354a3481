#include <algorithm>

#include "app/commands/learning/opened_run.h"
#include "app/commands/outputs.h"
#include "app/exports/output_folder.h"
#include "app/library/library.h"
#include "app/rooms/state.h"
#include "core/base/error.h"
#include "core/training/fine_tuning.h"
#include "core/training/optimiser.h"

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

/// Refuses a model with parts that a run's file does not record, since such a run could not be resumed.
void check_begins_a_run(const Model& model) {
    const Config& c = model.config;
    const bool plain = c.leading == Config().leading && c.readout == Readout::class_token && c.patch_bias &&
                       !c.embedding_norm && c.plain_blocks() && c.ending == HeadKind::classes;
    if (!plain)
        throw Error(model.provenance.name +
                    ": training starts from plain Vision Transformers only, with one class token and a classifier; "
                    "vitrine probe trains a new head for this model");
}

/// The recipe that the options describe. `from`: the initial model; null: none.
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
        r.promised_examples = o.pictures;
    return checked(std::move(r));
}

}  // namespace

ResumedRun<Pictures> open_picture_run(const TrainOptions& o) {
    if (o.resume) {
        enter_run_folder(o, picture_run_files);
        return resume_run<Pictures>(o.out);
    }
    const ModelSource source = model_source(o.from, {});
    check_run_folder(o, guard_of(o.force, source), picture_run_files);
    const std::shared_ptr<const Model> from = o.from.empty() ? nullptr : open_model(source);
    if (from) check_begins_a_run(*from);
    const Recipe recipe = recipe_of(o, from.get());
    const int threads = threads_of_run(o, recipe.batch);
    ResumedRun<Pictures> run{{.threads = threads}, std::make_unique<Trainer<Pictures>>(recipe, Crew{threads, 0})};
    if (from) run.trainer->restore(begun_from(*from, recipe), OptimiserState(recipe.model));
    return run;
}

}  // namespace vitrine
