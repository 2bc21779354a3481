#include "core/training/runs/run_folder.h"

#include "core/training/runs/run_file.h"

namespace vitrine {

void save_run(const std::filesystem::path& folder, const Trainer& trainer, const RunState& state) {
    write_run_file(folder, to_json(state.recipe),
                   {trainer.moments().steps, state.threads, state.seconds, state.running_loss}, trainer.parameters(),
                   trainer.moments());
}

bool holds_run(const std::filesystem::path& folder) { return has_run_file(folder); }

ResumedRun resume_run(const std::filesystem::path& folder, int niceness) {
    const RunFile file(folder);
    ResumedRun run;
    run.state = {.recipe = recipe_from_json(file.recipe(), file.name()),
                 .threads = file.progress().threads,
                 .seconds = file.progress().seconds,
                 .running_loss = file.progress().running_loss};
    FlatWeights parameters(run.state.recipe.model);
    OptimiserState moments(run.state.recipe.model);
    file.read(parameters, moments);
    run.trainer = std::make_unique<Trainer>(run.state.recipe, Trainer::Crew{run.state.threads, niceness});
    run.trainer->restore(parameters, moments);
    return run;
}

}  // namespace vitrine
