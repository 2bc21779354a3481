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
#include "app/rooms/learning/learning_view.h"
#include "app/rooms/learning/room.h"
#include "app/rooms/learning/text_learning_view.h"
#include "app/rooms/room.h"
#include "app/sessions/session_commands.h"
#include "app/ui/text.h"
#include "core/text/text_checkpoint.h"
#include "core/vit/checkpoint/save.h"
#include "core/vit/model.h"

namespace vitrine {

namespace {

namespace fs = std::filesystem;

/// The moment of a run that is shown; null where there is none yet.
std::shared_ptr<const LearningMoment> moment_of(AppContext& context, int run) {
    const std::vector<RunView> runs = context.jobs().learning().latest();
    if (run < 0 || run >= static_cast<int>(runs.size())) return nullptr;
    auto moment = shown_moment(runs[static_cast<std::size_t>(run)], context.state.learning);
    return moment && moment->model ? moment : nullptr;
}

/// What its model is called, after the run.
std::string name_of_model(const AppContext& context, const LearningMoment& moment, int run) {
    return context.text("learn.run", {{"run", std::string(1, static_cast<char>('A' + run))}}) + " · " +
           std::to_string(moment.report.pictures);
}

/// Its model, named after the run, ready for the explorer.
std::shared_ptr<const Model> model_of(const AppContext& context, const LearningMoment& moment, int run) {
    auto model = std::make_shared<Model>(*moment.model);
    model->provenance.name = name_of_model(context, moment, run);
    prepare(*model);
    return model;
}

}  // namespace

void remember_home(AppContext& context, const std::filesystem::path& folder) {
    std::string& home = context.state.settings.model_folder;
    if (home.empty() && !lies_in_scratch(context, folder)) home = folder.parent_path().string();
}

void carry(const command::ChangeLearning& c, AppContext& context) { take_choice(context, parse_learning(c.json)); }

void carry(const command::WatchLearning& c, AppContext& context) { watch_learning(context, c.runs); }

void carry(const command::OpenLearned& c, AppContext& context) {
    if (context.state.learning.texts) return;  // the explorer shows pictures
    if (const auto moment = moment_of(context, c.run)) show_model(context, {{}, {}, model_of(context, *moment, c.run)});
}

namespace {

std::uint64_t seen_by(const LearningMoment& moment) { return moment.report.pictures; }
std::uint64_t seen_by(const TextMoment& moment) { return moment.report.sentences; }

/// A run that would be lost: of texts or of pictures, and which.
struct UnsavedRun {
    bool texts = false;
    int run = 0;
};

/// A text Transformer into a folder of its own, aside; `run`: A or B.
void save_moment(AppContext& context, const TextMoment& moment, int run, Saving::Then then) {
    const std::string name = std::string(name_of(moment.model->task)) + "-" + static_cast<char>('a' + run) + "-" +
                             std::to_string(moment.report.sentences);
    context.jobs().of<Saving>().save(
        [model = moment.model, wanted = model_home(context) / name] {
            const fs::path folder = unused(wanted);
            save_text_model(*model, folder, Precision::f32);
            return folder;
        },
        std::move(then));
}

/// A Vision Transformer the same way.
void save_moment(AppContext& context, const LearningMoment& moment, int run, Saving::Then then) {
    const std::string name =
        "learned-" + std::string(1, static_cast<char>('a' + run)) + "-" + std::to_string(moment.report.pictures);
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

/// Saves a run of a job as it was at a moment. It counts as saved once it is there, but not in a folder that goes with
/// the window. The folder is told among the runs, or for some seconds where others have taken their place.
template <class Job, class Moment>
void save_run(AppContext& context, Job& job, const std::shared_ptr<const Moment>& moment, UnsavedRun run) {
    save_moment(context, *moment, run.run, [&context, &job, moment, run, of = job.recipes()](const fs::path& folder) {
        const std::string told = context.text("learn.saved", {{"path", folder.string()}});
        const bool stays = !lies_in_scratch(context, folder);
        if (job.recipes() == of) {
            context.state.saved_told = told;
            if (stays) context.state.saved_runs[{run.texts, run.run}] = seen_by(*moment);
            return;
        }
        notify(context, told);
        if (stays) job.keep_saved(moment);
    });
}

/// A run at the moment that is shown.
void save_text(const command::SaveLearned& c, AppContext& context) {
    const std::vector<TextRunView> runs = context.jobs().text_learning().latest();
    if (c.run < 0 || c.run >= static_cast<int>(runs.size())) return;
    const auto moment = shown_moment(runs[static_cast<std::size_t>(c.run)], context.state.learning.scrub);
    if (moment) save_run(context, context.jobs().text_learning(), moment, {true, c.run});
}

void save_pictures(const command::SaveLearned& c, AppContext& context) {
    if (const auto moment = moment_of(context, c.run))
        save_run(context, context.jobs().learning(), moment, {false, c.run});
}

/// Those that have learned something since they were saved.
std::vector<UnsavedRun> unsaved_runs(AppContext& context) {
    std::vector<UnsavedRun> unsaved;
    const auto see = [&](bool texts, int run, std::uint64_t seen) {
        if (is_unsaved(context, texts, run, seen)) unsaved.push_back({texts, run});
    };
    if (context.jobs().has_learning())
        for (int i = 0; const RunView& run : context.jobs().learning().latest()) {
            if (run.now && run.now->model && run.stage != RunStage::diverged) see(false, i, run.now->report.pictures);
            ++i;
        }
    if (context.jobs().has_text_learning())
        for (int i = 0; const TextRunView& run : context.jobs().text_learning().latest()) {
            if (run.now && run.stage != RunStage::diverged) see(true, i, run.now->report.sentences);
            ++i;
        }
    return unsaved;
}

bool can_be_saved(const RunView& run) { return run.now->model != nullptr && run.stage != RunStage::diverged; }
bool can_be_saved(const TextRunView& run) { return run.stage != RunStage::diverged; }

/// Does something with each run that would be lost while others stand in its place.
template <class Job, class Act>
void each_aside(const Job& job, const Act& act) {
    for (const auto& run : job.unsaved_aside())
        if (can_be_saved(run)) act(run.now);
}

bool has_unsaved_aside(AppContext& context) {
    bool any = false;
    const auto see = [&](const auto&) { any = true; };
    if (context.jobs().has_learning()) each_aside(context.jobs().learning(), see);
    if (context.jobs().has_text_learning()) each_aside(context.jobs().text_learning(), see);
    return any;
}

}  // namespace

void carry(const command::SaveLearned& c, AppContext& context) {
    context.state.learning.texts ? save_text(c, context) : save_pictures(c, context);
}

namespace {

/// Two digits, so that a running number does not change at every step.
int about(std::uint64_t count) {
    std::uint64_t unit = 1;
    while (count / unit >= 100) unit *= 10;
    return static_cast<int>(std::min<std::uint64_t>(count / unit * unit, 1'000'000'000));
}

/// The most that a run of a job has seen which would be lost.
template <class Job>
int most_unsaved(AppContext& context, const Job& job, bool texts) {
    std::uint64_t most = 0;
    for (int i = 0; const auto& run : job.latest()) {
        if (run.now && can_be_saved(run) && is_unsaved(context, texts, i, seen_by(*run.now)))
            most = std::max(most, seen_by(*run.now));
        ++i;
    }
    each_aside(job, [&](const auto& moment) { most = std::max(most, seen_by(*moment)); });
    return about(most);
}

}  // namespace

UnsavedLearning unsaved_learning(AppContext& context) {
    UnsavedLearning lost;
    if (context.jobs().has_learning()) lost.pictures = most_unsaved(context, context.jobs().learning(), false);
    if (context.jobs().has_text_learning())
        lost.sentences = most_unsaved(context, context.jobs().text_learning(), true);
    return lost;
}

bool has_unsaved_runs(AppContext& context) { return !unsaved_runs(context).empty() || has_unsaved_aside(context); }

void save_runs(AppContext& context) {
    context.state.learning.scrub.reset();  // as they stand, not as they were
    for (const UnsavedRun& unsaved : unsaved_runs(context))
        unsaved.texts ? save_text({unsaved.run}, context) : save_pictures({unsaved.run}, context);
    const auto save_aside = [&](auto& job) {
        each_aside(job, [&](const auto& moment) {
            save_moment(context, *moment, 0, [&context, &job, moment](const fs::path& folder) {
                notify(context, context.text("learn.saved", {{"path", folder.string()}}));
                if (!lies_in_scratch(context, folder)) job.keep_saved(moment);
            });
        });
    };
    if (context.jobs().has_learning()) save_aside(context.jobs().learning());
    if (context.jobs().has_text_learning()) save_aside(context.jobs().text_learning());
}

}  // namespace vitrine
