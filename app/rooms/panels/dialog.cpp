#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/platform/imgui_compat.h"
#include "app/rooms/panels/dialog_place.h"
#include "app/rooms/panels/panels.h"
#include "app/rooms/room.h"
#include "app/ui/keyboard_focus.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/controls.h"
#include "app/workspace/command.h"

namespace vitrine {

void begin_dialog_layer() {
    constexpr int flags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings;
    ImGui::Begin("dialog.veil", nullptr, flags);
}

void end_dialog_layer() { ImGui::End(); }

namespace {

/// A number that the dialog's layer remembers.
float& remembered_in_layer(const char* name) { return *ImGui::GetStateStorage()->GetFloatRef(ImGui::GetID(name)); }

}  // namespace

Rect dialog_place() {
    return {remembered_in_layer("dialog.x0"), remembered_in_layer("dialog.y0"), remembered_in_layer("dialog.x1"),
            remembered_in_layer("dialog.y1")};
}

Rect free_in_title(const Theme& theme) {
    ImGuiStorage& storage = *ImGui::GetStateStorage();
    const auto side = [&](const char* name) { return storage.GetFloat(ImGui::GetID(name)); };
    return {side("free.x0"), side("free.y0"), side("free.x1"), side("free.y0") + theme.px(44)};
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
    ImGuiStorage& storage = *ImGui::GetStateStorage();
    const float above = storage.GetFloat(ImGui::GetID("error.below"));  // an error's card is above the dialog
    const float width = std::min(theme.px(frame.width), screen.x - theme.px(40)),
                height = std::min(theme.px(frame.height), screen.y - above - theme.px(40)),
                left = std::round((screen.x - width) / 2), top = std::round(above + (screen.y - above - height) / 2);
    ImGui::SetCursorScreenPos({left, top});
    const auto remembered = [&](const char* side) { return storage.GetFloatRef(ImGui::GetID(side)); };
    float *const x0 = remembered("free.x0"), *const y0 = remembered("free.y0"), *const x1 = remembered("free.x1");
    remembered_in_layer("dialog.x0") = left;
    remembered_in_layer("dialog.y0") = top;
    remembered_in_layer("dialog.x1") = left + width;
    remembered_in_layer("dialog.y1") = top + height;
    begin_child({frame.id.c_str(), width, height, true, true, 0});
    ImGui::PushFont(theme.font(Font::heading));
    ImGui::TextUnformatted(frame.title.c_str());
    ImGui::PopFont();
    *x0 = ImGui::GetItemRectMax().x + theme.px(24);  // the free part of the title's line
    *y0 = ImGui::GetItemRectMin().y - theme.px(6);
    ImGui::SameLine(ImGui::GetWindowWidth() - theme.px(56));
    *x1 = ImGui::GetCursorScreenPos().x - theme.px(12);
    const bool closed = icon_button(ui, {"dialog.close", {}, ui.text("dialog.close"), "Esc"}, Icon::close);
    ui.probe.mark("dialog", {left, top, left + width, top + height}, 0, frame.id);
    if (closed) commands.add(command::ShowDialog{});
}

void end_dialog() {
    ImGui::EndChild();
    end_dialog_layer();
}

}  // namespace vitrine
