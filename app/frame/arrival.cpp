#include "app/frame/arrival.h"

#include <imgui.h>

#include <algorithm>
#include <utility>

#include "app/chapters/step.h"
#include "app/dialogs/get_model.h"
#include "app/exports/export_commands.h"
#include "app/frame/streams.h"
#include "app/frame/window_commands.h"
#include "app/jobs/deciding.h"
#include "app/jobs/inference.h"
#include "app/jobs/jobs.h"
#include "app/jobs/learning.h"
#include "app/jobs/looking.h"
#include "app/jobs/probing.h"
#include "app/jobs/saving.h"
#include "app/lecture/lesson_writing.h"
#include "app/lecture/stops.h"
#include "app/rooms/app_context.h"
#include "app/rooms/room.h"
#include "app/rooms/room_parts.h"
#include "app/sessions/closing.h"
#include "app/sessions/kept_sessions.h"
#include "app/sessions/saving.h"
#include "app/sessions/session_commands.h"
#include "app/workspace/keep_inside.h"
#include "app/workspace/linked.h"
#include "core/base/error.h"

namespace vitrine {

namespace {

// Openings.

void arrive(const arrival::Opened& a, AppContext& context) {
    const Opening& opening = a.opening;
    context.state = opening.state;
    Workspace& now = context.workspace();
    now.experiment = opening.experiment;
    now.text_experiment = opening.text_experiment;
    now.selection = opening.selection;
    now.motion = opening.motion;
    now.as_left = opening.as_left;
    now.changed = true;
    if (opening.result) context.jobs().of<Inference>().give(now.id, opening.result);
    if (!opening.other) return context.close_workspace(1 - context.workspaces.shown());
    Moment both = context.workspaces.moment({});
    both.other = opening.other;
    context.go_to(both);
    if (opening.other_result) context.jobs().of<Inference>().give(context.workspaces.other()->id, opening.other_result);
}

void arrive(const arrival::Begun& a, AppContext& context) {
    context.dialogs = a.dialogs;
    if (const std::string dialog = context.state.dialog; !dialog.empty())
        open_dialog(context, dialog);  // including its lists
    context.workspace().entered = context.workspace().moment({});
}

void arrive(const arrival::Restored& a, AppContext& context) { restore(context, a.session); }

void arrive(const arrival::Spoken& a, AppContext& context) { context.text = a.text; }

void arrive(const arrival::Dressed& a, AppContext& context) { context.theme = a.theme; }

// Results of jobs.

/// Shows the stop of a lesson that was begun before the first run.
void present_lesson(AppContext& context) {
    const Lecture& lecture = context.state.lecture;
    if (!lecture.on || !lecture.lesson) return;
    try {
        go_to_stop(context, lecture.stop);
    } catch (const Error& error) {
        context.state.error = error.what();
    }
}

/// Resolves the roles in a lesson's stop once its run is computed.
void take_roles(AppContext& context, Workspace& now) {
    if (!now.can_play_roles()) return;
    if (!now.roles.decide()) {
        if (turn_to_key(now.roles, *now.shown.result, {}, now.selection.focus)) now.play({});
        return;
    }
    Deciding& deciding = context.jobs().of<Deciding>();
    deciding.request(now.id, now.shown.result);
    const auto found = deciding.latest(now.id);
    if (found.failure) {
        context.state.error = deciding.take_failure(now.id);
        now.roles = {};
    }
    if (!found.result || found.result->of != now.shown.result) return;
    if (!turn_to_key(now.roles, *now.shown.result, found.result->head, now.selection.focus)) return;
    now.play(found.result->head);
    deciding.forget(now.id);
}

/// After a change of model, gives a linked workspace the token and key at the other workspace's positions in the image.
void link_tokens(const Workspaces& both, Workspace& workspace, const Result* before) {
    if (both.other() == nullptr) return;
    const Workspace& other = &workspace == &both.visible() ? *both.other() : both.visible();
    const bool same_model = before != nullptr && before->model == workspace.shown.result->model;
    if (same_model || !other.shown.result) return;
    const Config &there = other.shown.result->model->config, &here = workspace.shown.result->model->config;
    Focus& focus = workspace.selection.focus;
    focus.token = token_like(std::min(other.selection.focus.token, there.tokens() - 1), there, here);
    focus.key = token_like(std::min(other.selection.focus.key, there.tokens() - 1), there, here);
}

void take_run(AppContext& context, Workspace& workspace) {
    const std::shared_ptr<const Result> before = workspace.shown.result;
    const bool arrives = workspace.arrival && workspace.arrival->focus;
    try {
        State& state = context.state;
        if (std::string failure =
                workspace.take_in(context.jobs().of<Inference>().latest(workspace.id), context.workspace().history);
            !failure.empty()) {
            state.error = std::move(failure);
            const std::string from = std::exchange(state.opened_from, {});
            if (state.dialog.empty() && !from.empty()) open_dialog(context, from);
        } else if (workspace.shown.result && workspace.shown.result->experiment == workspace.experiment) {
            state.opened_from.clear();  // the file is open now
        }
        workspace.arrive();
    } catch (const Error& error) {
        context.state.error = error.what();
    }
    if (const auto& now = workspace.shown.result) {
        if (now != before) {
            if (!arrives && context.workspaces.side_by_side.linked)
                link_tokens(context.workspaces, workspace, before.get());
            keep_inside(workspace.selection, *now);
        }
        workspace.selection.clamp_to(now->model->config);
    }
    take_roles(context, workspace);
}

/// Takes the results that the visible room needs from the jobs, and drops those that only other rooms need.
void take_rooms(AppContext& context) {
    const RoomAnswers& room = answers_of(context.state.room);
    const Work& here = room.work;
    for (Workspace& each : context.workspaces.all()) {
        const bool visible = room.around.halves || &each == &context.workspace();
        for (const Room& other : rooms())
            if (const auto leave = answers_of(other.id).work.leave; leave && !(visible && leave == here.leave))
                leave(context, each);
        if (visible && here.take_in != nullptr) here.take_in(context, each);
    }
}

/// Updates the blocks that each workspace holds from their job; a workspace that is not shown holds none.
void take_looked_at(AppContext& context) {
    Looking* const job = context.jobs().has<Looking>() ? &context.jobs().of<Looking>() : nullptr;
    for (Workspace& each : context.workspaces.all()) {
        const Looking::State state = job == nullptr ? Looking::State() : job->latest(each.id);
        each.looked = state.result;
        each.looking = state.running;
        if (job == nullptr) continue;
        if (std::string failure = job->take_failure(each.id); !failure.empty()) context.state.error = failure;
    }
}

void arrive(const arrival::Results& a, AppContext& context) {
    for (Workspace& each : context.workspaces.all()) take_run(context, each);
    if (a.first && context.result() != nullptr) present_lesson(context);
    take_rooms(context);
    take_looked_at(context);
    take_frame(context, context.state.stream.on() && is_answered(context));
    Jobs& jobs = context.jobs();
    const auto tell = [&](std::string failure) {
        if (!failure.empty()) context.state.error = std::move(failure);
    };
    if (jobs.has_learning()) tell(jobs.learning().take_failure());
    if (jobs.has_text_learning()) tell(jobs.text_learning().take_failure());
    if (jobs.has<Probing>()) tell(jobs.of<Probing>().take_failure(Probing::only));
    take_fetched(context);
    watch_exports(context);
    take_saved(context);
}

void arrive(const arrival::Files&, AppContext& context) {
    context.state.model_changed = changed_on_disk(*context.result()->model);
    try {
        watch_lesson(context);
    } catch (const Error& error) {
        context.state.error = error.what();
    }
}

void arrive(const arrival::Recorded& a, AppContext& context) { take_recording(context, a.document); }
void arrive(const arrival::PictureDrawn& a, AppContext& context) { write_picture(context, a.order, a.write); }
void arrive(const arrival::PictureFailed& a, AppContext& context) { picture_failed(context, a.words); }
void arrive(const arrival::HandoutDrawn& a, AppContext& context) { write_handout(context, a.order, a.page); }
void arrive(const arrival::HandoutFailed& a, AppContext& context) { handout_failed(context, a.words); }

// Frames.

/// Slides the zones out for a lecture, and back after it.
void slide(Lecture& lecture, bool motions, float seconds) {
    constexpr float slide_seconds = 0.25F;
    const float wanted = lecture.on ? 1.0F : 0.0F, most = motions ? seconds / slide_seconds : 1.0F;
    lecture.slide += std::clamp(wanted - lecture.slide, -most, most);
}

/// True if the step has an animation, its picture is complete, and nothing covers it.
bool plays_by_itself(const AppContext& context) {
    const Lecture& lecture = context.state.lecture;
    const bool slides = lecture.slide != (lecture.on ? 1.0F : 0.0F);
    const auto step = answers_of(context.state.room).places.step;
    return is_answered(context) && context.state.dialog.empty() && !slides && step != nullptr &&
           step(context.focus())->own.moves;
}

void arrive(const arrival::Time& a, AppContext& context) {
    for (Workspace& each : context.workspaces.all()) each.selection.begin_frame();
    const bool motions = context.state.settings.motion;
    slide(context.state.lecture, motions, a.seconds);
    Motion& motion = context.workspace().motion;
    if (context.state.settings.plays && motion.waits && plays_by_itself(context)) motion.play();
    motion.advance(motions ? a.seconds : 1e9F);
    play_recording(context.state.learning, a.seconds, motions);
}

void arrive(const arrival::Hovered& a, AppContext& context) {
    const auto take = [](Selection& selection, const Selection& drawn) {
        const Focus focus = selection.focus;
        selection = drawn;
        selection.focus = focus;
    };
    take(context.workspace().selection, a.selection);
    Workspace* const other = context.workspaces.other();
    if (!a.other || other == nullptr) return context.workspace().selection.forget_reaches();
    take(other->selection, *a.other);
    Selection::share_reaches(context.workspace().selection, other->selection);
    if (context.workspaces.side_by_side.linked) link_hover(context.workspace(), *other);
}

void arrive(const arrival::Typed& a, AppContext& context) { context.drafts = a.drafts; }

void arrive(const arrival::Settled& a, AppContext& context) {
    Workspace& now = context.workspace();
    context.workspaces.link(a.before);
    if (!a.before.same_as(context.workspaces.moment({}))) {
        now.changed = true;
        now.as_left = false;
    }
    context.workspaces.remember(context.state.room, stop_now(context.state.lecture), ImGui::GetTime());
    delete_discarded(context);
    if (context.state.part.place != place_in_view(context)) context.state.part.place.clear();
}

void arrive(const arrival::Playing& a, AppContext& context) {
    if (a.on && !context.scratch) context.scratch.emplace();
    context.playing = a.on;
}

void arrive(const arrival::Failure& a, AppContext& context) { context.state.error = a.words; }

void arrive(const arrival::Notice& a, AppContext& context) { notify(context, a.words); }

// The desktop.

void arrive(const arrival::Met& a, AppContext& context) {
    switch (a.request) {
        case arrival::Met::Request::link: return context.link.clear();
        case arrival::Met::Request::full_screen: context.full_screen = false; return;
        case arrival::Met::Request::paste: context.paste = false; return;
        case arrival::Met::Request::recording: return context.recording.clear();
    }
}

void arrive(const arrival::Closing&, AppContext& context) { context.closable = may_close(context); }
void arrive(const arrival::FullScreen& a, AppContext& context) { context.state.full_screen = a.on; }
void arrive(const arrival::Monitors& a, AppContext& context) { context.state.monitors = a.all; }
void arrive(const arrival::Left& a, AppContext& context) { offer_recovery(context.state, a.folder); }

}  // namespace

bool is_answered(const AppContext& context) {
    if (context.jobs().of<Saving>().pending()) return false;
    if (const auto room = answers_of(context.state.room).work.answered; room != nullptr && !room(context)) return false;
    if (!looks_ready(context)) return false;
    return std::ranges::all_of(context.workspaces.all(), [](const Workspace& each) {
        return each.shown.result && each.shown.activity.stage == Stage::idle && !each.arrival && !each.roles.any() &&
               each.shown.result->experiment == each.experiment;
    });
}

void take_in(const Arrival& arrival, AppContext& context) {
    std::visit([&](const auto& a) { arrive(a, context); }, arrival);
}

}  // namespace vitrine
