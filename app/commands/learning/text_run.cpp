#include "app/commands/learning/opened_run.h"
#include "app/commands/outputs.h"
#include "app/exports/output_folder.h"

namespace vitrine {

namespace {

constexpr const char* text_run_files[] = {"training.safetensors", "metrics.jsonl", "model.safetensors", "config.json",
                                          "vocabulary.json"};

void take_text_shape(TextConfig& c, const TrainOptions& o) {
    take_widths(c, o);
    if (o.blocks && c.has_encoder()) c.blocks = *o.blocks;
    if (o.blocks && c.has_decoder()) c.decoder_blocks = *o.blocks;
    if (o.no_positions) c.positions = Positions::none;
    if (o.text.learned_positions) c.positions = Positions::learned;
    c.scaled = c.scaled && !o.text.no_scale;
    c.causal = c.causal && !o.text.no_mask;
    if (o.text.it_weight) c.names_it = c.names_it && *o.text.it_weight > 0;
}

TextRecipe text_recipe_of(const TrainOptions& o) {
    TextRecipe r =
        standard_text_recipe(*value_in(text_task_names, o.text.task), *value_in(text_language_names, o.text.to));
    take_text_shape(r.model, o);
    r.sentences.seed = o.seed;
    take_optimiser(r, o);
    r.it_weight = o.text.it_weight.value_or(r.it_weight);
    if (o.text.sentences > 0) r.promised_examples = o.text.sentences;
    if (o.seconds > 0) {
        r.promised_seconds = o.seconds;
        r.promised_examples.reset();
    }
    return checked(std::move(r));
}

}  // namespace

ResumedRun<Texts> open_text_run(const TrainOptions& o) {
    if (o.resume) {
        enter_run_folder(o, text_run_files);
        return resume_run<Texts>(o.out);
    }
    check_run_folder(o, guard_of(o.force, {}), text_run_files);
    const TextRecipe recipe = text_recipe_of(o);
    const int threads = threads_of_run(o, recipe.batch);
    return {{.threads = threads}, std::make_unique<Trainer<Texts>>(recipe, Crew{threads, 0})};
}

}  // namespace vitrine
