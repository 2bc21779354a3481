#include "app/ui/widgets/hot_area.h"

#include <imgui.h>

#include "app/ui/keyboard_focus.h"
#include "app/ui/probe.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/canvas.h"
#include "app/ui/widgets/controls.h"

namespace vitrine {

Hit hot_area(const Ui& ui, const std::string& id, Rect rect, const std::string& words, Reach reach) {
    if (rect.empty()) return {};
    const ImVec2 before = ImGui::GetCursorScreenPos();
    ImGui::SetCursorScreenPos({rect.x0, rect.y0});
    const bool clicked = ImGui::InvisibleButton(id.c_str(), {rect.width(), rect.height()});
    ui.probe.mark_item(id, 0, words);

    Hit hit;
    hit.clicked = clicked;
    const bool by_keys = ui.keyboard != nullptr && ui.keyboard->leads();
    if (!by_keys && ImGui::IsItemHovered()) {
        const ImVec2 pointer = ImGui::GetMousePos();
        hit.at = Point{pointer.x, pointer.y};
        hit.menu = ImGui::IsMouseClicked(ImGuiMouseButton_Right);
        hit.double_clicked = ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left);
    }
    if (ui.keyboard != nullptr && reach.rows > 0) {
        ui.keyboard->announce(id, rect);
        if (ui.keyboard->cursor_on_last(reach.rows * reach.columns, reach.columns) >= 0)
            hit.at = ui.keyboard->anchor().centre();
        hit.clicked = hit.clicked || ui.keyboard->pressed_last();
        WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
        focus_ring(ui, canvas, rect, ui.theme.px(4));
    }
    ImGui::SetCursorScreenPos(before);
    return hit;
}

}  // namespace vitrine
