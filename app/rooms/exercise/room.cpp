#include "app/rooms/exercise/room.h"

#include <imgui.h>

#include <algorithm>

#include "app/rooms/exercise/exercise_views.h"
#include "app/rooms/explore/room.h"
#include "app/rooms/panels/panels.h"
#include "app/rooms/state.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/ui.h"
#include "app/workspace/workspace.h"

namespace vitrine {

namespace {

void draw_exercise_stage(const Frame& frame) {
    const Ui& ui = frame.ui;
    const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    const Exercise exercise = frame.selection.focus.exercise;
    ui.probe.mark("stage", {at.x, at.y, at.x + room.x, at.y + room.y}, place_of(exercise));
    with_exercise(frame, [&](const ExerciseFrame& e) {
        const Rect area = stage_heading(frame, e.words("title"), e.words("task"));
        ImGui::SetCursorScreenPos({area.x0, area.y0 + ui.theme.px(10)});
        const Rect folded = exercise_code(e);
        ImGui::Dummy({1, ui.theme.px(6)});
        exercise_effect(e);
        exercise_whole_code(e, folded);
    });
    draw_error(frame);
    draw_waiting(frame);
    const Workspace& w = frame.workspace;
    const bool ready = w.shown.activity.stage == Stage::idle && w.shown.result->experiment == w.experiment &&
                       (!w.exercise || w.exercise->activity.stage == Stage::idle) && !w.text_exercise.running;
    if (ready) ui.probe.mark("status.idle", {at.x, at.y, at.x + 1, at.y + 1});
}

/// In a lecture the choices are on the stage, since the panels are hidden.
std::vector<Zone> exercise_zones(const Frame& frame) {
    if (!frame.shown().result) return explore_zones(frame);
    const Layout& at = frame.layout;
    const float gap = frame.ui.theme.px(10);
    const bool lecture = frame.state().lecture.on;
    const float kept = at.tokens.y0 - gap - at.stage.y1;  // free space below the stage for notices
    Rect stage{at.stage.x0, at.stage.y0, at.stage.x1, lecture ? at.stage.y1 : at.time.y1 - kept};
    Rect choices = at.explanation;
    if (lecture) {
        choices = {stage.x0 + stage.width() * 0.64F, stage.y0, stage.x1, stage.y1};
        stage.x1 = choices.x0 - gap;
    }
    return {{"zone.map", at.map, exercise_list, 14, 12},
            {"zone.stage", stage, draw_exercise_stage},
            {"zone.explanation", choices, exercise_choices}};
}

}  // namespace

Room exercise_room() {
    return {.id = "exercise",
            .key = Key::f7,
            .zones = exercise_zones,
            .commands = exercise_commands,
            .answers = exercise_answers};
}

}  // namespace vitrine
