#include "app/rooms/learning/room.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "app/rooms/figures/recorded_runs.h"
#include "app/rooms/learning/learning_panel.h"
#include "app/rooms/learning/recorded_view.h"
#include "app/rooms/learning/run_names.h"
#include "app/rooms/learning/study_view.h"
#include "app/rooms/learning/text_learning_panel.h"
#include "app/rooms/learning/text_learning_view.h"
#include "app/rooms/learning_runs.h"
#include "app/rooms/panels/panels.h"
#include "app/rooms/state.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/canvas.h"
#include "app/ui/widgets/controls.h"
#include "app/workspace/command.h"
#include "core/training/presets.h"

namespace vitrine {

namespace {

/// The stage for text Transformers, under their experiment's or task's title.
void draw_texts(const Frame& frame) {
    const Ui& ui = frame.ui;
    TextLearningState& state = frame.learning.text;
    const Preset<Texts>* const experiment = experiment_of(state);
    const std::string task = name_of(state.task());
    Rect area = stage_heading(
        frame, ui.text(experiment ? "learn.experiment." + std::string(experiment->id) : "learn.text.title." + task),
        ui.text(experiment && any_has_begun(frame.runs.texts) ? "learn.text.pair_sentence_begun"
                                                              : sentence_of_runs(frame.learning)));
    subject_choice(frame);
    area.y0 += ui.theme.px(14);
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    if (shows_models(frame.runs.texts))
        text_learning_view({ui, canvas, area, frame.runs.texts, frame.learning.scrub, state});
    else
        canvas.text({area.x0, area.y0}, ui.text("learn.preparing"), {Font::body, ui.theme.palette.muted, Align::left});
    draw_error(frame);
}

/// The recording in view; null if there is none.
const RecordedPair* recording_of(const LearningState& state) {
    const Preset<Pictures>* const experiment = experiment_of(state);
    return state.recorded && experiment ? recorded_runs(experiment->id) : nullptr;
}

/// The button to the experiment's recording and back, to the right of the sentence: for lectures, which have no panel.
Control recording_control(const Frame& frame) {
    const bool live = !frame.learning.recorded;
    return {"lecture.recorded_runs", frame.ui.text(live ? "learn.recorded_play" : "learn.back_to_live"),
            frame.ui.text(live ? "learn.recorded_tip" : "learn.live_tip"), frame.key_of("learn.recorded_runs")};
}

/// Width of the stage that the button and its margin take, px; 0 if there is no button.
float width_of_recording_button(const Frame& frame) {
    const Preset<Pictures>* const experiment = experiment_of(frame.learning);
    if (!frame.state().lecture.on || frame.ui.bare || !experiment || !recorded_runs(experiment->id)) return 0;
    const float words = measure_text(frame.ui.theme, recording_control(frame).words, Font::body).x;
    return std::ceil(words) + frame.ui.theme.px(72);
}

void recording_button(const Frame& frame) {
    const Ui& ui = frame.ui;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = width_of_recording_button(frame) - ui.theme.px(20);
    ImGui::SetCursorScreenPos({at.x + ImGui::GetContentRegionAvail().x - width, at.y + ui.theme.px(42)});
    const std::optional<Icon> icon = frame.learning.recorded ? std::nullopt : std::optional(Icon::play);
    if (button(ui, recording_control(frame), {Emphasis::plain, icon, width}))
        frame.commands().add("learn.recorded_runs");
    ImGui::SetCursorScreenPos(at);
}

void draw_stage(const Frame& frame) {
    const Ui& ui = frame.ui;
    const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    ui.probe.mark("stage", {at.x, at.y, at.x + room.x, at.y + room.y}, -1);
    LearningState& state = frame.learning;
    if (state.texts) return draw_texts(frame);
    const bool study = state.study;
    const Preset<Pictures>* const experiment = experiment_of(state);
    const RecordedPair* const recorded = recording_of(state);
    const bool hall = recorded && frame.state().lecture.on;  // its sentence does not name the button
    const std::string title = experiment ? "learn.experiment." + std::string(experiment->id) : "learn.title";
    const bool begun = experiment && any_has_begun(frame.runs.runs);
    const float beside = width_of_recording_button(frame);
    Rect area = stage_heading(frame, ui.text(study ? "learn.study.title" : title),
                              ui.text(hall       ? "learn.recorded_hall"
                                      : recorded ? "learn.recorded_sentence"
                                      : begun    ? "learn.pair_sentence_begun"
                                                 : sentence_of_runs(state)),
                              beside);
    subject_choice(frame);
    if (beside > 0) recording_button(frame);
    area.y0 += ui.theme.px(14);
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const RunViews<Pictures>& runs = frame.runs.runs;
    if (recorded)
        recorded_view({ui, canvas, area, recorded_until(*recorded, state.played), *frame.runs.examples, recorded},
                      state);
    else if (study)
        study_view(ui, canvas, area, runs);
    else if (shows_models(runs))
        learning_view({ui, canvas, area, runs, *frame.runs.examples}, state);
    else
        canvas.text({area.x0, area.y0}, ui.text("learn.preparing"), {Font::body, ui.theme.palette.muted, Align::left});
    draw_error(frame);
}

void draw_notes(const Frame& frame) {
    WindowCanvas canvas(ImGui::GetWindowDrawList(), frame.ui);
    const RecordedPair* const recorded = recording_of(frame.learning);
    const RunViews<Pictures> played =
        recorded ? recorded_until(*recorded, frame.learning.played) : RunViews<Pictures>();
    learning_notes(frame, {frame.ui, canvas, frame.layout.explanation, recorded ? played : frame.runs.runs,
                           *frame.runs.examples, recorded});
}

std::vector<Zone> zones(const Frame& frame) {
    const Layout& at = frame.layout;
    return {{"zone.map", at.map, learning_choices, 14, 12},
            {"zone.stage", at.stage, draw_stage},
            {"zone.explanation", at.explanation, draw_notes},
            {"zone.bottom", at.bottom(), learning_transport}};
}

}  // namespace

Room learning_room() {
    return {.id = "learn", .key = Key::f4, .zones = zones, .commands = learning_commands, .answers = learning_answers};
}

bool shows_training(const Frame& frame) {
    return !(frame.runs.runs.empty() && frame.runs.texts.empty()) && !frame.learning.recorded;
}

bool is_training(const Frame& frame) { return shows_training(frame) && frame.runs.running; }

}  // namespace vitrine
