#include "app/frame/learning_commands.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/jobs/jobs.h"
#include "app/jobs/saving.h"
#include "app/platform/new_file.h"
#include "app/rooms/learning/learning_job.h"
#include "app/rooms/learning/room.h"
#include "app/rooms/room.h"
#include "app/sessions/session_commands.h"
#include "app/ui/text.h"
#include "core/text/text_checkpoint.h"
#include "core/vit/checkpoint/save.h"
#include "core/vit/model.h"

namespace vitrine {

namespace {

namespace fs = std::filesystem;

/// The shown moment of a run; null if there is none yet, or if its model is not kept.
template <class Family>
std::shared_ptr<const RunMoment<Family>> shown_moment(const AppContext& context, int run, Family family) {
    const RunViews<Family> runs = job_of(context, family).latest();
    if (run < 0 || run >= static_cast<int>(runs.size())) return nullptr;
    auto moment = runs[static_cast<std::size_t>(run)].at(context.state.learning.scrub);
    return moment && moment->model ? moment : nullptr;
}

/// A model's name, derived from its run.
std::string name_of_model(const AppContext& context, const RunMoment<Pictures>& moment, int run) {
    return context.text("learn.run", {{"run", std::string(1, static_cast<char>('A' + run))}}) + " · " +
           std::to_string(moment.report.seen);
}

/// The model of a run's moment, named after the run and prepared for Explore.
std::shared_ptr<const Model> model_of(const AppContext& context, const RunMoment<Pictures>& moment, int run) {
    auto model = std::make_shared<Model>(*moment.model);
    model->provenance.name = name_of_model(context, moment, run);
    prepare(*model);
    return model;
}

}  // namespace

void remember_home(AppContext& context, const std::filesystem::path& folder) {
    std::string& home = context.state.settings.model_folder;
    if (home.empty() && !is_in_scratch(context, folder)) home = folder.parent_path().string();
}

void execute(const command::ChangeLearning& c, AppContext& context) { take_choice(context, parse_learning(c.json)); }

void execute(const command::WatchLearning& c, AppContext& context) { watch_learning(context, c.runs); }

void execute(const command::OpenLearned& c, AppContext& context) {
    if (context.state.learning.texts) return;  // Explore shows pictures only
    if (const auto moment = shown_moment(context, c.run, Pictures()))
        show_model(context, {{}, {}, model_of(context, *moment, c.run)});
}

namespace {

/// Saves a text Transformer to a new folder, asynchronously; `run`: A or B.
void save_moment(AppContext& context, const RunMoment<Texts>& moment, int run, Saving::Then then) {
    const std::string name = std::string(name_of(moment.model->task)) + "-" + static_cast<char>('a' + run) + "-" +
                             std::to_string(moment.report.seen);
    context.jobs().of<Saving>().save(
        [model = moment.model, wanted = model_home(context) / name] {
            const fs::path folder = unused(wanted);
            save_text_model(*model, folder, Precision::f32);
            return folder;
        },
        std::move(then));
}

/// Saves a Vision Transformer in the same way.
void save_moment(AppContext& context, const RunMoment<Pictures>& moment, int run, Saving::Then then) {
    const std::string name =
        "learned-" + std::string(1, static_cast<char>('a' + run)) + "-" + std::to_string(moment.report.seen);
    context.jobs().of<Saving>().save(
        [model = moment.model, called = name_of_model(context, moment, run), wanted = model_home(context) / name] {
            const fs::path folder = unused(wanted);
            Model named = *model;
            named.provenance.name = called;
            save_model(named, folder, Precision::f32);
            return folder;
        },
        [&context, then = std::move(then)](const fs::path& folder) {
            remember_home(context, folder);
            then(folder);
        });
}

/// Saves a moment of a run. Once the folder is written the run counts as saved, unless the folder is a scratch one,
/// which is deleted with the window. A note among the runs names the folder; if other runs are shown by then, a short
/// message does.
template <class Family>
void save_run(AppContext& context, const std::shared_ptr<const RunMoment<Family>>& moment, int run, Family family) {
    auto& job = job_of(context, family);
    save_moment(context, *moment, run, [&context, &job, moment, run, of = job.recipes()](const fs::path& folder) {
        const std::string told = context.text("learn.saved", {{"path", folder.string()}});
        const bool stays = !is_in_scratch(context, folder);
        if (job.recipes() == of) {
            context.state.saved_told = told;
            if (stays) context.state.saved_runs[{of_texts(Family()), run}] = moment->report.seen;
            return;
        }
        notify(context, told);
        if (stays) job.keep_saved(moment);
    });
}

/// Saves the shown moment of a run.
template <class Family>
void save_shown(AppContext& context, int run, Family family) {
    if (const auto moment = shown_moment(context, run, family)) save_run(context, moment, run, family);
}

template <class Family>
bool can_be_saved(const RunView<Family>& run) {
    return run.now && run.now->model && run.stage != RunStage::diverged;
}

/// Calls `act` with the index and the view of each run of a family that has trained since it was last saved.
template <class Family, class Act>
void each_unsaved(const AppContext& context, Family family, const Act& act) {
    for (int i = 0; const RunView<Family>& run : job_of(context, family).latest()) {
        if (can_be_saved(run) && is_unsaved(context, of_texts(family), i, run.now->report.seen)) act(i, run);
        ++i;
    }
}

/// Calls `act` with the latest moment of each unsaved run of a family that other runs have replaced on the screen.
template <class Family, class Act>
void each_aside(const AppContext& context, Family family, const Act& act) {
    for (const RunView<Family>& run : job_of(context, family).unsaved_aside())
        if (can_be_saved(run)) act(run.now);
}

/// Those of them that are finished and kept with the session, newest last.
template <class Family>
RunViews<Family> kept_aside(const AppContext& context, Family family) {
    RunViews<Family> runs = job_of(context, family).unsaved_aside();
    std::erase_if(runs,
                  [](const auto& run) { return run.stage != RunStage::done || !run.checkpoint || !can_be_saved(run); });
    const auto kept = static_cast<std::ptrdiff_t>(std::min(runs.size(), most_kept_aside));
    runs.erase(runs.begin(), runs.end() - kept);
    return runs;
}

}  // namespace

void execute(const command::SaveLearned& c, AppContext& context) {
    with_family(context.state.learning.texts, [&](auto family) { save_shown(context, c.run, family); });
}

namespace {

/// A count rounded down to two digits, so that the number of a run in training does not change at every step.
int about(std::uint64_t count) {
    std::uint64_t unit = 1;
    while (count / unit >= 100) unit *= 10;
    return static_cast<int>(std::min<std::uint64_t>(count / unit * unit, 1'000'000'000));
}

/// The largest number of examples that an unsaved run of a family has seen; `kept`: includes runs with a checkpoint.
template <class Family>
int most_unsaved(const AppContext& context, Family family, bool kept) {
    std::uint64_t most = 0;
    each_unsaved(context, family, [&](int, const auto& run) {
        if (kept || !run.checkpoint) most = std::max(most, run.now->report.seen);
    });
    const RunViews<Family> aside = kept_aside(context, family);
    each_aside(context, family, [&](const auto& moment) {
        if (kept || std::ranges::find(aside, moment, &RunView<Family>::now) == aside.end())
            most = std::max(most, moment->report.seen);
    });
    return about(most);
}

UnsavedLearning unsaved(const AppContext& context, bool kept) {
    UnsavedLearning most;
    each_started(context, [&](auto family) {
        (of_texts(family) ? most.sentences : most.pictures) = most_unsaved(context, family, kept);
    });
    return most;
}

}  // namespace

UnsavedLearning unsaved_learning(const AppContext& context) { return unsaved(context, true); }

bool has_unsaved_runs(const AppContext& context) {
    const UnsavedLearning lost = unsaved_learning(context);
    return lost.pictures > 0 || lost.sentences > 0;
}

KeptRuns keep_runs(const AppContext& context, Session& session) {
    KeptRuns all;
    bool are_prepared = true;
    each_started(context, [&](auto family) {
        const auto& job = job_of(context, family);
        are_prepared = are_prepared && !job.latest().empty();
        for (std::size_t i = 0; const RunCheckpoint& run : job.checkpoints()) {
            if (run) all[name_of_kept_run(of_texts(family), i)] = run;
            ++i;
        }
        for (std::size_t i = 0; const auto& run : kept_aside(context, family))
            all[name_of_kept_aside(of_texts(family), i++)] = run.checkpoint;
    });
    if (!has_unsaved_runs(context) && (are_prepared || all.empty())) return {};
    session.unsaved = unsaved(context, false);
    session.learning = to_json(context.state.learning);
    return all;
}

void save_runs(AppContext& context) {
    context.state.learning.scrub.reset();  // at their current state, not an earlier moment
    each_started(context, [&](auto family) {
        each_unsaved(context, family, [&](int run, const auto&) { save_shown(context, run, family); });
    });
    each_started(context, [&](auto family) {
        each_aside(context, family, [&](const auto& moment) {
            save_moment(context, *moment, 0, [&context, moment](const fs::path& folder) {
                notify(context, context.text("learn.saved", {{"path", folder.string()}}));
                if (!is_in_scratch(context, folder)) job_of(context, decltype(family)()).keep_saved(moment);
            });
        });
    });
}

}  // namespace vitrine
