#include "app/sessions/finished_runs.h"

#include <concepts>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/jobs/jobs.h"
#include "app/jobs/saving.h"
#include "app/platform/new_file.h"
#include "app/rooms/learning/run_names.h"
#include "app/rooms/state.h"
#include "app/ui/text.h"
#include "app/ui/widgets/number.h"
#include "app/workspace/recent.h"
#include "core/base/error.h"
#include "core/text/text_checkpoint.h"
#include "core/training/recipe.h"
#include "core/training/runs/run_file.h"
#include "core/training/text/text_recipe.h"
#include "core/training/trainer.h"
#include "core/vit/checkpoint/save.h"

namespace vitrine {

namespace {

namespace fs = std::filesystem;

/// Saves a run's model to a new folder in `home`, named as those that are saved by hand; `which` is the experiment and
/// the run's letter, such as "skips-a-", or empty.
fs::path save_finished(const ResumedRun<Pictures>& run, const std::string& which, const fs::path& home) {
    const std::string seen = std::to_string(run.trainer->seen());
    const fs::path folder = unused(home / ("learned-" + which + seen));
    Model model = run.trainer->model();
    model.provenance.name = folder.filename().string();
    save_model(model, folder, Precision::f32);
    return folder;
}

fs::path save_finished(const ResumedRun<Texts>& run, const std::string& which, const fs::path& home) {
    const TextModel model = run.trainer->model();
    const fs::path folder =
        unused(home / (std::string(name_of(model.task)) + "-" + which + std::to_string(run.trainer->seen())));
    save_text_model(model, folder, Precision::f32);
    return folder;
}

template <class Family>
void save_each(AppContext& context, const KeptRuns& kept, const std::shared_ptr<std::string>& told) {
    constexpr bool texts = std::same_as<Family, Texts>;
    std::vector<RunCheckpoint> runs;
    std::vector<typename Family::Recipe> recipes;
    for (std::size_t i = 0; i < most_kept_aside; ++i) try {
            const auto found = kept.find(name_of_kept_aside(texts, i));
            if (found == kept.end()) continue;
            recipes.push_back(recipe_in<Family>(*found->second));
            runs.push_back(found->second);
        } catch (const Error& error) {
            notify(context, error.what());
        }
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const std::optional<RunOfExperiment> of = experiment_of_run<Family>(context.text, recipes, i);
        const std::string which = of ? of->id + "-" + of->letter + "-" : std::string();
        const auto steps = std::make_shared<std::uint64_t>(0);
        context.jobs().of<Saving>().save(
            [bytes = runs[i], steps, which, home = model_home(context)] {
                const ResumedRun<Family> run = resume_bytes<Family>(*bytes);
                *steps = run.progress.steps;
                return save_finished(run, which, home);
            },
            [&context, steps, told, of](const fs::path& folder) {
                if (!texts) remember(context.state.settings, FileKind::model, folder);
                const std::string step = count_text(static_cast<std::int64_t>(*steps));
                *told += (told->empty() ? "" : "\n") +
                         context.text(of ? "recover.aside_named" : "recover.aside_saved",
                                      {{"run", of ? of->name : ""}, {"step", step}, {"path", folder.string()}});
                notify(context, *told);
            });
    }
}

}  // namespace

void save_finished_runs(AppContext& context, const KeptRuns& kept) {
    const auto told = std::make_shared<std::string>();
    save_each<Pictures>(context, kept, told);
    save_each<Texts>(context, kept, told);
}

}  // namespace vitrine
