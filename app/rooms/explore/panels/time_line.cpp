#include "app/rooms/explore/panels/time_line.h"

#include <imgui.h>

#include <algorithm>

#include "app/chapters/step.h"
#include "app/ui/keyboard_focus.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/canvas.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/hot_area.h"
#include "app/workspace/motion.h"
#include "app/workspace/selection.h"

namespace vitrine {

namespace {

/// The steps as segments of a line; the current one is highlighted and named.
void steps_line(const Ui& ui, Rect rect, Selection& selection) {
    const Theme& theme = ui.theme;
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const auto& steps = curriculum();
    const float gap = theme.px(6), width = (rect.width() + gap) / static_cast<float>(steps.size()) - gap;
    const bool all_fit = std::all_of(steps.begin(), steps.end(), [&](const Step& s) {
        return canvas.measure(step_text(ui, s, "title"), Font::caption).x <= width;
    });
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const float x = rect.x0 + static_cast<float>(i) * (width + gap);
        const bool current = selection.focus.step == static_cast<int>(i);
        const Rect part{x, rect.y0, x + width, rect.y1};
        const Hit hit = hot_area(ui, "time.step." + std::string(steps[i].id), part, step_text(ui, steps[i], "title"));
        const float y = rect.y0 + theme.px(6);
        canvas.fill({part.x0, y, part.x1, y + theme.px(6)},
                    current || hit.at ? theme.palette.accent : theme.palette.line, theme.px(3));
        if (all_fit || current) {
            const std::string& words = step_text(ui, steps[i], "title");
            const float left = std::min(part.x0, rect.x1 - canvas.measure(words, Font::caption).x);
            canvas.text({left, y + theme.px(11)}, words,
                        {Font::caption, current ? theme.palette.text : theme.palette.muted, Align::left});
        } else if (hit.at) {
            tooltip(ui, step_text(ui, steps[i], "title"));
        }
        if (hit.clicked) selection.focus.step = static_cast<int>(i);
    }
}

}  // namespace

void time_line(const Frame& frame) {
    const Ui& ui = frame.ui;
    Selection& selection = frame.selection;
    Motion& motion = frame.motion;
    const Theme& theme = ui.theme;
    const int last = static_cast<int>(curriculum().size()) - 1;
    int& step = selection.focus.step;
    const Step& shown = curriculum()[static_cast<std::size_t>(step)];
    const Control back{"time.back", {}, ui.text("time.back"), frame.key_of("step.previous"), step > 0},
        next{"time.next", {}, ui.text("time.next"), frame.key_of("step.next"), step < last};
    const Control play{
        "time.play", {}, ui.text(motion.playing ? "time.pause" : "time.play"), frame.key_of("play"), shown.moves};
    int wanted = step;
    if (icon_button(ui, back, Icon::left, Emphasis::plain)) --wanted;
    ImGui::SameLine();
    const bool waits = shown.moves && motion.waits;
    if (icon_button(ui, play, motion.playing ? Icon::pause : Icon::play, waits ? Emphasis::primary : Emphasis::plain)) {
        if (motion.playing)
            motion.playing = false;
        else
            motion.play();
    }
    ImGui::SameLine();
    if (icon_button(ui, next, Icon::right, Emphasis::plain)) ++wanted;
    ImGui::SameLine();
    if (shown.moves) {
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
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float right = at.x + ImGui::GetContentRegionAvail().x, count_width = theme.px(96);
    steps_line(ui, {at.x + theme.px(12), at.y - theme.px(2), right - count_width, at.y + theme.px(36)}, selection);
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const std::string words = std::to_string(step + 1) + " / " + std::to_string(last + 1);
    canvas.text({right, at.y + theme.px(6)}, words, {Font::mono, theme.palette.muted, Align::right});
    ui.probe.mark("step", {right - count_width, at.y, right, at.y + theme.px(30)}, step, std::string(shown.id));
    if (wanted != step && selection.focus.step == static_cast<int>(&shown - curriculum().data())) step = wanted;
}

}  // namespace vitrine
