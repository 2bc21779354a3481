#include <imgui.h>

#include "app/exports/export_commands.h"
#include "app/frame/shell.h"
#include "app/frame/window_commands.h"
#include "app/jobs/deciding.h"
#include "app/jobs/inference.h"
#include "app/jobs/jobs.h"
#include "app/jobs/measuring.h"
#include "app/jobs/probing.h"
#include "app/jobs/text_running.h"
#include "app/lecture/lesson_writing.h"
#include "app/lecture/stops.h"
#include "app/rooms/exercise/exercise.h"
#include "app/rooms/laboratory/instrument_table.h"
#include "app/rooms/learning/room.h"
#include "app/sessions/saving.h"
#include "app/sessions/session_commands.h"
#include "app/workspace/keep_inside.h"
#include "app/workspace/text_result.h"
#include "core/base/error.h"

// The only place where results of threads enter the window.

namespace vitrine {

namespace {

TextShown text_shown(const TextRunning& texts, int client) {
    const TextRunning::State now = texts.latest(client);
    return {now.result, now.running, now.seconds};
}

}  // namespace

void Shell::take_in_jobs() {
    for (const auto& each : context_.workspaces.all()) take_in(*each);
    if (!remembered_ && shown().result) begin_lesson();
    if (room_of(context_.state.room).learns) follow_choice(context_);
    if (context_.jobs().has_learning())
        if (std::string failure = context_.jobs().learning().take_failure(); !failure.empty())
            tell_error(std::move(failure));
    if (context_.jobs().has_text_learning())
        if (std::string failure = context_.jobs().text_learning().take_failure(); !failure.empty())
            tell_error(std::move(failure));
    if (context_.jobs().has<Probing>())
        if (std::string failure = context_.jobs().of<Probing>().take_failure(Probing::only); !failure.empty())
            tell_error(std::move(failure));
    watch_files();
    watch_exports(context_);
    take_saved(context_);
    if (auto document = context_.recording_to.empty() ? std::nullopt : recorder_.take())
        vitrine::take_recording(context_, *document);
    if (const std::string part = std::exchange(context_.recording, {}); !part.empty()) record(part);
}

/// Shows the stop of a lesson that was begun before the first run.
void Shell::begin_lesson() {
    const Lecture& lecture = context_.state.lecture;
    if (!lecture.on || !lecture.lesson) return;
    try {
        go_to_stop(context_, lecture.stop);
    } catch (const Error& error) {
        tell_error(error.what());
    }
}

void Shell::take_in(Workspace& workspace) {
    const std::shared_ptr<const Result> before = workspace.shown.result;
    try {
        State& state = context_.state;
        if (std::string failure = workspace.take_in(context_.jobs().of<Inference>().latest(workspace.id));
            !failure.empty()) {
            tell_error(std::move(failure));
            const std::string from = std::exchange(state.opened_from, {});
            if (state.dialog.empty() && !from.empty()) open_dialog(context_, from);
        } else if (workspace.shown.result && workspace.shown.result->experiment == workspace.experiment) {
            state.opened_from.clear();  // the file is open now
        }
        workspace.arrive();
    } catch (const Error& error) {
        tell_error(error.what());
    }
    if (const auto& now = workspace.shown.result) {
        if (now != before) keep_inside(workspace.selection, *now);
        workspace.selection.clamp_to(now->model->config);
    }
    take_roles(workspace);
    take_measures(workspace);
    take_exercise(workspace);
    take_text(workspace);
}

/// Resolves the roles in a lesson's stop once its run is there.
void Shell::take_roles(Workspace& now) {
    if (!now.can_play_roles()) return;
    if (!now.roles.decide()) return now.play({});
    Deciding& deciding = context_.jobs().of<Deciding>();
    deciding.request(now.id, now.shown.result);
    const auto found = deciding.latest(now.id);
    if (found.failure) {
        tell_error(deciding.take_failure(now.id));
        now.roles = {};
    }
    if (!found.result || found.result->of != now.shown.result) return;
    now.play(found.result->head);
    deciding.forget(now.id);
}

/// What the mistake of an exercise gives, beside the workspace's own run; nothing of it is kept once the room is left,
/// nor of a text once no exercise that is shown runs on one.
void Shell::take_exercise(Workspace& now) {
    const int client = Jobs::exercise_of(now.id);
    const bool here = &now == &workspace() && room_of(context_.state.room).repairs;
    if (here) now.exercise = context_.jobs().of<Inference>().latest(client);
    if (!here && now.exercise) {
        context_.jobs().of<Inference>().forget(client);
        now.exercise.reset();
    }
    if (here && text_to_repair(now, context_.state.settings)) {
        now.text_exercise = text_shown(context_.jobs().of<TextRunning>(), client);
        if (std::string failure = context_.jobs().of<TextRunning>().take_failure(client); !failure.empty())
            tell_error(std::move(failure));
    } else if (now.text_exercise.result || now.text_exercise.running) {
        context_.jobs().of<TextRunning>().forget(client);
        now.text_exercise = {};
    }
}

/// What the text of a workspace gives; nothing of it is kept once the room is left.
void Shell::take_text(Workspace& now) {
    if (&now == &workspace() && room_of(context_.state.room).reads) {
        now.text = text_shown(context_.jobs().of<TextRunning>(), now.id);
        if (std::string failure = context_.jobs().of<TextRunning>().take_failure(now.id); !failure.empty())
            tell_error(std::move(failure)), now.roles = {};
        now.play_text();
        return;
    }
    if (now.roles.of_text) now.roles = {};
    if (now.text.result) context_.jobs().of<TextRunning>().forget(now.id);
    now.text = {};
}

/// Checks once a second whether the files of the model and of the user's own lesson have changed.
void Shell::watch_files() {
    constexpr double every = 1;
    const Snapshot& now = shown();
    if (!now.result || ImGui::GetTime() - looked_at_files_ < every) return;
    looked_at_files_ = ImGui::GetTime();
    context_.state.model_changed = changed_on_disk(*now.result->model);
    try {
        watch_lesson(context_);
    } catch (const Error& error) {
        tell_error(error.what());
    }
}

/// What was chosen in the last frame is measured; what is done is shown. While something is measured the last whole one
/// stays; nothing is kept of a run that nobody sees.
void Shell::take_measures(Workspace& now) {
    const auto& result = now.shown.result;
    const bool open = &now == &workspace() && room_of(context_.state.room).measures && result;
    const auto holds_in_vain = [&](const std::shared_ptr<const Measured>& measured) {
        return measured && (open ? measured->of->model != result->model : measured->of != result);
    };
    if (holds_in_vain(now.measured)) now.measured.reset();
    if (!open && !context_.jobs().has<Measuring>()) return;
    Measuring& measuring = context_.jobs().of<Measuring>();
    if (!open) {
        if (holds_in_vain(measuring.latest(now.id).result)) measuring.forget(now.id);
        if (now.measuring.running) measuring.again(now.id);  // begins anew when it is looked at again
        now.measuring = {};
        return;
    }
    measuring.request(now.id, {result, now.selection.focus.lab});
    now.measuring = measuring.latest(now.id);
    if (std::string failure = measuring.take_failure(now.id); !failure.empty()) tell_error(std::move(failure));
    const bool grows = row_of(now.selection.focus.lab.instrument).grows;
    const bool of_this_model = now.measuring.result && now.measuring.result->of->model == result->model;
    if (of_this_model && (!now.measuring.running || grows || !now.measured)) now.measured = now.measuring.result;
}

}  // namespace vitrine
