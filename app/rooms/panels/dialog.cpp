#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/platform/imgui_compat.h"
#include "app/rooms/panels/panels.h"
#include "app/ui/keyboard_focus.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/controls.h"

namespace vitrine {

void begin_dialog_layer() {
    constexpr int flags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings;
    ImGui::Begin("dialog.veil", nullptr, flags);
}

void end_dialog_layer() { ImGui::End(); }

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
    const float width = std::min(theme.px(frame.width), screen.x - theme.px(40)),
                height = std::min(theme.px(frame.height), screen.y - theme.px(40));
    ImGui::SetCursorScreenPos({std::round((screen.x - width) / 2), std::round((screen.y - height) / 2)});
    begin_child({frame.id.c_str(), width, height, true, true, 0});
    ImGui::PushFont(theme.font(Font::heading));
    ImGui::TextUnformatted(frame.title.c_str());
    ImGui::PopFont();
    ImGui::SameLine(ImGui::GetWindowWidth() - theme.px(56));
    const bool closed = icon_button(ui, {"dialog.close", {}, ui.text("dialog.close"), "Esc"}, Icon::close);
    ui.probe.mark("dialog",
                  {(screen.x - width) / 2, (screen.y - height) / 2, (screen.x + width) / 2, (screen.y + height) / 2}, 0,
                  frame.id);
    if (closed) commands.add(command::ShowDialog{});
}

void end_dialog() {
    ImGui::EndChild();
    end_dialog_layer();
}

}  // namespace vitrine
