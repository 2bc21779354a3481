#include <imgui.h>

#include "app/lecture/lecture.h"
#include "app/lecture/lecture_panel.h"
#include "app/platform/imgui_compat.h"
#include "app/rooms/state.h"
#include "app/ui/probe.h"
#include "app/ui/theme.h"
#include "app/ui/ui.h"
#include "app/ui/widgets/canvas.h"
#include "app/workspace/command.h"

// Ink, laser, spotlight and the black screen, over everything.

namespace vitrine {

namespace {

Point whole_screen() {
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    return {size.x, size.y};
}

Point to_fraction(Point p) {
    const Point screen = whole_screen();
    return {p.x / screen.x, p.y / screen.y};
}

void draw_ink(Canvas& canvas, const Ui& ui, const Ink& ink) {
    const Point screen = whole_screen();
    const float thickness = ui.theme.px(4);
    for (const Ink::Line& line : ink.lines()) {
        std::vector<Point> points;
        for (const Point p : line) points.push_back({p.x * screen.x, p.y * screen.y});
        if (points.size() == 1) canvas.circle(points.front(), thickness / 2, ui.theme.palette.key);
        canvas.polyline(points, ui.theme.palette.key, thickness);
    }
}

/// Captures the mouse for pen and eraser.
void take_ink(const Frame& frame) {
    const Pointer pointer = frame.state().lecture.pointer;
    const bool pen = pointer == Pointer::pen, eraser = pointer == Pointer::eraser;
    if (!pen && !eraser) return;
    const Point screen = whole_screen();
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize({screen.x, screen.y});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    ImGui::Begin("lecture.ink", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoBackground);
    ImGui::InvisibleButton("paper", {screen.x, screen.y});
    const ImVec2 mouse = ImGui::GetMousePos();
    const Point at = to_fraction({mouse.x, mouse.y});
    const bool begins = ImGui::IsItemActivated();
    if (begins || ImGui::IsItemActive()) frame.commands().add(command::MovePen{at, begins, screen.x / screen.y});
    ImGui::End();
    ImGui::PopStyleVar();
}

/// Darkens all but a circle around the pointer.
void draw_spotlight(Canvas& canvas, const Ui& ui, Point at) {
    const Point screen = whole_screen();
    const float radius = ui.theme.px(130), beyond = screen.x + screen.y;
    canvas.ring(at, radius + beyond / 2, ui.theme.palette.shade.with_alpha(0.82F), beyond);
}

/// The pointer's current shape, over everything.
void draw_pointer(Canvas& canvas, const Ui& ui, const Lecture& lecture) {
    const ImVec2 mouse = ImGui::GetMousePos();
    const Point at{mouse.x, mouse.y};
    if (!ImGui::IsMousePosValid(&mouse)) return;
    const Palette& p = ui.theme.palette;
    const float px = ui.theme.px(1);
    switch (lecture.pointer) {
        case Pointer::arrow: break;
        case Pointer::laser:
            canvas.circle(at, 9 * px, p.danger.with_alpha(0.35F));
            canvas.circle(at, 5 * px, p.danger);
            ImGui::SetMouseCursor(ImGuiMouseCursor_None);
            break;
        case Pointer::spotlight: draw_spotlight(canvas, ui, at); break;
        case Pointer::pen: canvas.circle(at, 3 * px, p.key); break;
        case Pointer::eraser: canvas.ring(at, Ink::eraser_radius * whole_screen().y, p.muted, 2 * px); break;
    }
    ui.probe.mark("lecture.pointer", {at.x - 1, at.y - 1, at.x + 1, at.y + 1}, static_cast<int>(lecture.pointer));
}

}  // namespace

void lecture_overlay(const Frame& frame) {
    const Ui& ui = frame.ui;
    const Lecture& lecture = frame.state().lecture;
    take_ink(frame);
    WindowCanvas canvas(ImGui::GetForegroundDrawList(), ui);
    const Ink* const ink = lecture.find_ink(frame.selection.focus.step);
    if (ink != nullptr) draw_ink(canvas, ui, *ink);
    ui.probe.mark("lecture.ink", {0, 0, whole_screen().x, whole_screen().y},
                  ink != nullptr ? static_cast<double>(ink->lines().size()) : 0);
    if (!lecture.black) return draw_pointer(canvas, ui, lecture);
    canvas.fill({0, 0, whole_screen().x, whole_screen().y}, {0, 0, 0, 255});
    ui.probe.mark("lecture.black", {0, 0, whole_screen().x, whole_screen().y});
}

}  // namespace vitrine
