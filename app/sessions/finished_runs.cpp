#include "app/sessions/finished_runs.h"

#include <concepts>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "app/jobs/jobs.h"
#include "app/jobs/saving.h"
#include "app/platform/new_file.h"
#include "app/rooms/state.h"
#include "app/ui/text.h"
#include "app/ui/widgets/number.h"
#include "app/workspace/recent.h"
#include "core/text/text_checkpoint.h"
#include "core/training/runs/run_file.h"
#include "core/training/trainer.h"
#include "core/vit/checkpoint/save.h"

namespace vitrine {

namespace {

namespace fs = std::filesystem;

/// Saves a run's model to a new folder in `home`, named as those that are saved by hand.
fs::path save_finished(const ResumedRun<Pictures>& run, const fs::path& home) {
    const std::string seen = std::to_string(run.trainer->seen());
    const fs::path folder = unused(home / ("learned-" + seen));
    Model model = run.trainer->model();
    model.provenance.name = folder.filename().string();
    save_model(model, folder, Precision::f32);
    return folder;
}

fs::path save_finished(const ResumedRun<Texts>& run, const fs::path& home) {
    const TextModel model = run.trainer->model();
    const fs::path folder =
        unused(home / (std::string(name_of(model.task)) + "-" + std::to_string(run.trainer->seen())));
    save_text_model(model, folder, Precision::f32);
    return folder;
}

template <class Family>
void save_each(AppContext& context, const KeptRuns& kept, const std::shared_ptr<std::string>& told) {
    constexpr bool texts = std::same_as<Family, Texts>;
    for (std::size_t i = 0; i < most_kept_aside; ++i) {
        const auto found = kept.find(name_of_kept_aside(texts, i));
        if (found == kept.end()) continue;
        const auto steps = std::make_shared<std::uint64_t>(0);
        context.jobs().of<Saving>().save(
            [bytes = found->second, steps, home = model_home(context)] {
                const ResumedRun<Family> run = resume_bytes<Family>(*bytes);
                *steps = run.progress.steps;
                return save_finished(run, home);
            },
            [&context, steps, told](const fs::path& folder) {
                if (!texts) remember(context.state.settings, FileKind::model, folder);
                const std::string step = count_text(static_cast<std::int64_t>(*steps));
                *told += (told->empty() ? "" : "\n") +
                         context.text("recover.aside_saved", {{"step", step}, {"path", folder.string()}});
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
