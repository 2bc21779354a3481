#include <algorithm>

#include "app/jobs/jobs.h"
#include "app/jobs/learning.h"
#include "app/lecture/lesson.h"
#include "app/rooms/app_context.h"
#include "app/rooms/figures/recorded_runs.h"
#include "app/rooms/learning/room.h"
#include "app/rooms/learning/run_names.h"
#include "app/rooms/learning_runs.h"
#include "app/rooms/room_parts.h"
#include "core/base/error.h"
#include "core/base/names.h"
#include "core/files/table.h"
#include "core/training/presets.h"

// The learning room's `RoomAnswers`.

namespace vitrine {

namespace {

std::vector<std::string> all_runs() { return runs_to_choose(); }

/// The name of the current runs; empty for custom ones.
std::string runs_in_view(const LearningState& state) {
    for (const std::string& name : runs_to_choose()) {
        LearningState named = state;
        choose_runs(named, name);
        if (named.same_runs(state)) return name;
    }
    return {};
}

void describe_runs(const AppContext& context, LessonStop& stop) {
    stop.id = runs_in_view(context.state.learning);
    stop.recorded = context.state.learning.recorded;
}

void arrive_at_runs(const LessonStop& stop, Place& to) { to.runs = stop.id; }

/// Shows the runs of a lesson's stop; runs already in training continue.
void show_runs(AppContext& context, const LessonStop& stop) {
    LearningState wanted = context.state.learning;
    choose_runs(wanted, stop.id);
    const bool there = wanted.texts ? context.jobs().has_text_learning() : context.jobs().has_learning();
    if (!there || !wanted.same_runs(context.state.learning)) watch_learning(context, stop.id);
    enter_room(context, stop.room);
    if (stop.recorded)
        show_recording(context);
    else
        show_live(context);
}

bool is_recorded(const std::string& runs) { return recorded_runs(runs) != nullptr; }

PlaceWords words_of_runs(const std::string& runs) {
    const bool task = value_in(text_task_names, runs).has_value();
    const std::string title = runs.empty() || runs == "plain" ? "learn.title"
                              : runs == "nets"                ? "learn.study.title"
                                               : (task ? "learn.text.title." : "learn.experiment.") + runs;
    LearningState chosen;
    if (!runs.empty()) choose_runs(chosen, runs);
    const bool experiment = preset_named<Pictures>(runs) != nullptr || preset_named<Texts>(runs) != nullptr;
    const std::string results = experiment ? "learn.experiment." + runs + "_tip" : std::string();
    return {.title = title,
            .sentence = sentence_of_runs(chosen),
            .words = experiment ? results : "learn.words",
            .notes = results};
}

std::vector<std::string> no_changes(const InView&) { return {}; }

Play runs_here(const Frame& frame) {
    if (frame.learning.recorded) return Play::again;
    const auto is_ready = [](const auto& run) { return run.stage == RunStage::ready; };
    const LearningRuns& runs = frame.runs;
    if (runs.runs.empty() && runs.texts.empty()) return Play::nothing;
    if (std::ranges::all_of(runs.runs, is_ready) && std::ranges::all_of(runs.texts, is_ready)) return Play::waits;
    const auto can_continue = [](const auto& run) { return run.stage == RunStage::paused; };
    const bool paused = std::ranges::any_of(runs.runs, can_continue) || std::ranges::any_of(runs.texts, can_continue);
    return runs.running || paused ? Play::again : Play::nothing;
}

bool can_learn(const Focus&) { return true; }
bool recording_plays(const State& state, const Motion&) { return is_playing(state.learning); }

/// Starts training unless a recording is shown or training has begun; returns true if it started.
bool begins_to_learn(AppContext& context) {
    if (context.state.learning.recorded || is_learning(context) || has_begun_to_learn(context)) return false;
    start_learning(context);
    return true;
}

/// Starts training, or skips a playing recording to its end; returns false if it does neither.
bool begins_or_ends(AppContext& context) {
    if (begins_to_learn(context)) return true;
    LearningState& state = context.state.learning;
    if (!is_playing(state)) return false;
    state.played = 1;
    state.playing = false;
    return true;
}

/// Starts, pauses or continues training or a recording; returns false if all runs are over.
bool begins_again(AppContext& context) {
    if (begins_to_learn(context)) return true;
    if (context.state.learning.recorded) {
        play_or_pause_recording(context);
        return true;
    }
    return pause_or_continue(context);
}

LearningRuns runs_of_frame(const AppContext& context) {
    Jobs& jobs = context.jobs();
    return context.state.learning.texts ? runs_of(jobs.text_learning()) : runs_of(jobs.learning());
}

bool runs_are_answered(const AppContext& context) {
    const auto has_moment = [](const auto& run) { return static_cast<bool>(run.now); };
    const LearningRuns runs = runs_of_frame(context);
    return std::ranges::all_of(runs.runs, has_moment) && std::ranges::all_of(runs.texts, has_moment);
}

void take_runs(AppContext& context, Workspace&) { follow_choice(context); }

}  // namespace

const RoomAnswers& learning_answers() {
    static const RoomAnswers answers{
        .places = {.word = "learn",
                   .what = "run",
                   .all = all_runs,
                   .describe = describe_runs,
                   .arrive = arrive_at_runs,
                   .show = show_runs,
                   .is_recorded = is_recorded},
        .teaching = {.words = words_of_runs, .changes = no_changes},
        .player = {.here = runs_here,
                   .can_play = can_learn,
                   .playing = recording_plays,
                   .start_or_stop = begins_or_ends,
                   .again = begins_again,
                   .invitation = "learn.start",
                   .invitation_tip = "learn.start_tip",
                   .tip = "learn.play_tip",
                   .names_key = true},
        .work = {.learning = runs_of_frame, .answered = runs_are_answered, .take_in = take_runs},
        .taking = {.only_here = "export.no_png"},
        .around = {.subject = no_subject}};
    return answers;
}

}  // namespace vitrine
