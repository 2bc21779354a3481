#include "core/training/text/text_run_folder.h"

namespace vitrine {

void save_text_run(const std::filesystem::path& folder, const TextTrainer& trainer, const RunProgress& progress) {
    RunProgress saved = progress;
    saved.steps = trainer.moments().steps;
    write_run_file(folder, to_json(trainer.recipe()), saved, trainer.parameters(), trainer.moments());
}

ResumedTextRun resume_text_run(const std::filesystem::path& folder, int niceness) {
    const RunFile file(folder);
    const TextRecipe recipe = text_recipe_from_json(file.recipe(), file.name());
    ResumedTextRun run{file.progress(), std::make_unique<TextTrainer>(recipe, Crew{file.progress().threads, niceness})};
    FlatTextWeights parameters = run.trainer->parameters();
    OptimiserState moments = run.trainer->moments();
    file.read(parameters, moments);
    run.trainer->restore(parameters, moments);
    return run;
}

bool holds_text_run(const std::filesystem::path& folder) {
    return has_run_file(folder) && is_text_recipe(RunFile(folder).recipe());
}

}  // namespace vitrine
