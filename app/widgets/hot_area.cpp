#include "app/widgets/hot_area.h"

#include <imgui.h>

#include "app/keyboard_focus.h"
#include "app/probe.h"
#include "app/theme.h"
#include "app/widgets/canvas.h"
#include "app/widgets/controls.h"

namespace vitrine {

Hit hot_area(const Ui& ui, const std::string& id, Rect rect, const std::string& words, Reach kind) {
    if (rect.empty()) return {};
    const ImVec2 before = ImGui::GetCursorScreenPos();
    ImGui::SetCursorScreenPos({rect.x0, rect.y0});
    const bool clicked = ImGui::InvisibleButton(id.c_str(), {rect.width(), rect.height()});
    ui.probe.mark_item(id, 0, words);

    Hit hit;
    hit.clicked = clicked;
    if (ImGui::IsItemHovered()) {
        const ImVec2 pointer = ImGui::GetMousePos();
        hit.at = Point{pointer.x, pointer.y};
        hit.double_clicked = ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left);
    }
    if (ui.keyboard != nullptr && kind == Reach::control) {
        ui.keyboard->announce(id, rect);
        hit.clicked = hit.clicked || ui.keyboard->pressed_last();
        WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
        focus_ring(ui, canvas, rect, ui.theme.px(4));
    }
    ImGui::SetCursorScreenPos(before);
    return hit;
}

}  // namespace vitrine
