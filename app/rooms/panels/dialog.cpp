#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/platform/imgui_compat.h"
#include "app/rooms/panels/dialog_place.h"
#include "app/rooms/panels/panels.h"
#include "app/rooms/room.h"
#include "app/ui/kept.h"
#include "app/ui/keyboard_focus.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/ui.h"
#include "app/ui/widgets/controls.h"
#include "app/workspace/command.h"

namespace vitrine {

void begin_dialog_layer() {
    constexpr int flags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings;
    ImGui::Begin("dialog.veil", nullptr, flags);
}

void end_dialog_layer() { ImGui::End(); }

namespace {

using Remembered = Kept<float>;  // stored in the dialog's layer

/// True if a click begins beside the dialog and below an error's card; false for the second click of a double click,
/// whose first click may have opened the dialog.
bool is_clicked_beside(Rect dialog, float below) {
    const ImVec2 at = ImGui::GetMousePos();
    const bool clicked =
        ImGui::IsMouseClicked(ImGuiMouseButton_Left) && !ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left);
    return clicked && ImGui::IsWindowHovered() && at.y > below && !dialog.contains({at.x, at.y});
}

}  // namespace

Rect dialog_place() {
    return {Remembered("dialog.x0"), Remembered("dialog.y0"), Remembered("dialog.x1"), Remembered("dialog.y1")};
}

Rect free_in_title(const Theme& theme) {
    const Remembered y0("free.y0");
    return {Remembered("free.x0"), y0, Remembered("free.x1"), y0 + theme.px(44)};
}

void begin_dialog(const Ui& ui, const DialogFrame& frame, Commands& commands) {
    const Theme& theme = ui.theme;
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    if (ui.keyboard != nullptr) ui.keyboard->begin_layer(frame.id);
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize(screen);
    ImGui::PushStyleColor(ImGuiCol_WindowBg, ImVec4(0, 0, 0, 0.55F));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
    begin_dialog_layer();
    ImGui::PopStyleVar();
    ImGui::PopStyleColor();
    if (ImGui::IsWindowAppearing()) ImGui::SetWindowFocus();
    const float above = Remembered("error.below");  // an error's card is above the dialog
    const float width = std::min(theme.px(frame.width), screen.x - theme.px(40)),
                height = std::min(theme.px(frame.height), screen.y - above - theme.px(40)),
                left = std::round((screen.x - width) / 2), top = std::round(above + (screen.y - above - height) / 2);
    ImGui::SetCursorScreenPos({left, top});
    Remembered x0("free.x0"), y0("free.y0"), x1("free.x1");
    Remembered("dialog.x0") = left;
    Remembered("dialog.y0") = top;
    Remembered("dialog.x1") = left + width;
    Remembered("dialog.y1") = top + height;
    const bool beside = !frame.stays && is_clicked_beside({left, top, left + width, top + height}, above);
    begin_child({frame.id.c_str(), width, height, true, true, 0});
    ImGui::PushFont(theme.font(Font::heading));
    ImGui::TextUnformatted(frame.title.c_str());
    ImGui::PopFont();
    x0 = ImGui::GetItemRectMax().x + theme.px(24);  // the free part of the title's line
    y0 = ImGui::GetItemRectMin().y - theme.px(6);
    ImGui::SameLine(ImGui::GetWindowWidth() - theme.px(56));
    x1 = ImGui::GetCursorScreenPos().x - theme.px(12);
    const bool closed = icon_button(ui, {"dialog.close", {}, ui.text("dialog.close"), "Esc"}, Icon::close);
    ui.probe.mark("dialog", {left, top, left + width, top + height}, 0, frame.id);
    if (closed || beside) commands.add(command::ShowDialog{});
}

void end_dialog() {
    ImGui::EndChild();
    end_dialog_layer();
}

}  // namespace vitrine
