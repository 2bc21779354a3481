#include "app/rooms/panels/steady_foot.h"

#include <algorithm>
#include <cmath>

#include "app/ui/theme.h"

namespace vitrine {

namespace {

bool is_in_window(ImVec2 at) {
    const ImVec2 low = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    return at.x >= low.x && at.x <= low.x + size.x && at.y >= low.y && at.y <= low.y + size.y;
}

/// True while a control of this panel, such as a slider, is held.
bool is_held_here() { return ImGui::IsMouseDown(0) && is_in_window(ImGui::GetIO().MouseClickedPos[0]); }

}  // namespace

void SteadyFoot::note_changes(std::size_t what_ifs) {
    constexpr float settling = 3;  // frames from a click to its change
    const auto frame = static_cast<float>(ImGui::GetFrameCount()), count = static_cast<float>(what_ifs);
    const bool here = is_in_window(ImGui::GetMousePos());
    if ((here && ImGui::IsMouseReleased(0)) || is_held_here()) keep(released, frame);
    if ((*this)[changes] == count) return;
    keep(changes, count);
    keep(measured, what_ifs == 0 ? 1.0F : 0.0F);
    const float last = (*this)[released];
    keep(clicked, last > 0 && frame - last <= settling ? 1.0F : 0.0F);
}

float SteadyFoot::height(float wanted, const Ui& ui, bool whole_panel) const {
    const float before = (*this)[foot], tolerance = ui.theme.px(8);
    if (before > 0 && ((*this)[gapped] != 0 || is_held_here())) return before;
    const ImVec2 pointer = ImGui::GetMousePos(), low = ImGui::GetWindowPos(), click = ImGui::GetIO().MouseClickedPos[0];
    const bool rests = std::abs(pointer.x - click.x) <= tolerance && std::abs(pointer.y - click.y) <= tolerance;
    // Only a click here keeps the height; a smaller foot waits only until the pointer moves away from the click.
    if ((*this)[clicked] == 0 || (wanted < before && !rests)) return wanted;
    if (before > 0 && rests && (*this)[measured] == 0) return before;
    // The height stays while the pointer is above the part of the panel that would change.
    const float bottom = low.y + ImGui::GetWindowHeight();
    const bool beside = pointer.x < low.x || pointer.x > low.x + ImGui::GetWindowWidth();
    const bool above = pointer.y >= low.y && pointer.y <= bottom - (whole_panel ? 0 : std::min(wanted, before));
    return before > 0 && !beside && above ? before : wanted;
}

}  // namespace vitrine
