#include <imgui.h>

#include "app/exports/export_commands.h"
#include "app/frame/shell.h"
#include "app/frame/window_commands.h"
#include "app/jobs/deciding.h"
#include "app/jobs/inference.h"
#include "app/jobs/jobs.h"
#include "app/jobs/probing.h"
#include "app/lecture/lesson_writing.h"
#include "app/lecture/stops.h"
#include "app/rooms/room_parts.h"
#include "app/sessions/saving.h"
#include "app/sessions/session_commands.h"
#include "app/workspace/keep_inside.h"
#include "core/base/error.h"

// The only place where results of threads enter the window.

namespace vitrine {

void Shell::take_in_jobs() {
    for (const auto& each : context_.workspaces.all()) take_in(*each);
    if (!remembered_ && shown().result) begin_lesson();
    take_in_rooms();
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

/// What the room in view needed of the jobs; of what the other rooms needed nothing is kept.
void Shell::take_in_rooms() {
    const Work& here = answers_of(context_.state.room).work;
    for (const auto& each : context_.workspaces.all()) {
        const bool visible = each.get() == &workspace();
        for (const Room& room : rooms())
            if (const auto leave = answers_of(room.id).work.leave; leave && !(visible && leave == here.leave))
                leave(context_, *each);
        if (visible && here.take_in != nullptr) here.take_in(context_, *each);
    }
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

}  // namespace vitrine
