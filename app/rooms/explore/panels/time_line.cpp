#include <imgui.h>

#include <algorithm>

#include "app/chapters/step.h"
#include "app/rooms/explore/panels/explore_panels.h"
#include "app/rooms/panels/chapter_parts.h"
#include "app/ui/keyboard_focus.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/ui.h"
#include "app/ui/widgets/canvas.h"
#include "app/ui/widgets/controls.h"
#include "app/workspace/motion.h"
#include "app/workspace/selection.h"

namespace vitrine {

void time_line(const Frame& frame) {
    const Ui& ui = frame.ui;
    Selection& selection = frame.selection;
    Motion& motion = frame.motion;
    const Theme& theme = ui.theme;
    const int last = static_cast<int>(curriculum().size()) - 1;
    int& step = selection.focus.step;
    const Step& shown = step_at(selection.focus);
    const Control back{"time.back", {}, ui.text("time.back"), frame.key_of("step.previous"), step > 0},
        next{"time.next", {}, ui.text("time.next"), frame.key_of("step.next"), step < last};
    const Control play{
        "time.play", {}, ui.text(motion.playing ? "time.pause" : "time.play"), frame.key_of("play"), shown.own.moves};
    int wanted = step;
    if (icon_button(ui, back, Icon::left, Emphasis::plain)) --wanted;
    ImGui::SameLine();
    const bool waits = shown.own.moves && motion.waits;
    if (icon_button(ui, play, motion.playing ? Icon::pause : Icon::play, waits ? Emphasis::primary : Emphasis::plain)) {
        if (motion.playing)
            motion.playing = false;
        else
            motion.play();
    }
    ImGui::SameLine();
    if (icon_button(ui, next, Icon::right, Emphasis::plain)) ++wanted;
    ImGui::SameLine();
    if (shown.own.moves) {
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const float width = theme.px(120), height = theme.px(34);
        const Rect track{at.x, at.y, at.x + width, at.y + height};
        ImGui::InvisibleButton("time.scrub", {width, height});
        ui.probe.mark_item("time.scrub", motion.time);
        tooltip(ui, ui.text("time.scrub"));
        if (ImGui::IsItemActive()) {
            motion.playing = false;
            motion.time = std::clamp((ImGui::GetMousePos().x - track.x0) / width, 0.0F, 1.0F);
        }
        WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
        if (ui.keyboard != nullptr) {
            ui.keyboard->announce("time.scrub", track);
            focus_ring(ui, canvas, track, theme.px(4));
            if (const int by = ui.keyboard->right_on_last(); by != 0)
                motion = {std::clamp(motion.time + static_cast<float>(by) * 0.05F, 0.0F, 1.0F), false};
        }
        const float y = track.centre().y, x = track.x0 + motion.time * width;
        canvas.fill({track.x0, y - theme.px(2), track.x1, y + theme.px(2)}, theme.palette.line, theme.px(2));
        canvas.fill({track.x0, y - theme.px(2), x, y + theme.px(2)}, theme.palette.accent, theme.px(2));
        canvas.circle({x, y}, theme.px(7), theme.palette.accent);
        ImGui::SameLine();
    }
    const int clicked = chapters_line(
        frame,
        {.segment = "time.step.", .number = "step", .here = step, .inset = 12, .number_width = 96, .names_all = true});
    step = clicked != step ? clicked : wanted;
}

}  // namespace vitrine
