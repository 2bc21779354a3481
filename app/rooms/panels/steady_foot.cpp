#include "app/rooms/panels/steady_foot.h"

#include <algorithm>
#include <cmath>

#include "app/ui/theme.h"

namespace vitrine {

namespace {

constexpr float row_of_click = 38;  // px at scale 1: most of a switch and the faded edge below it

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
    const bool by_click = last > 0 && frame - last <= settling;
    const float y = ImGui::GetIO().MouseClickedPos[0].y, end = ImGui::GetWindowPos().y + ImGui::GetWindowHeight();
    keep(clicked, by_click ? 1.0F : 0.0F);
    keep(click_above, by_click && y < end - (*this)[foot] ? y : 0.0F);
}

float SteadyFoot::height(float wanted, const Ui& ui, bool whole_panel) const {
    const float before = (*this)[foot], tolerance = ui.theme.px(8);
    if (before > 0 && ((*this)[gapped] != 0 || is_held_here())) return before;
    const ImVec2 pointer = ImGui::GetMousePos(), low = ImGui::GetWindowPos(), click = ImGui::GetIO().MouseClickedPos[0];
    const bool rests = std::abs(pointer.x - click.x) <= tolerance && std::abs(pointer.y - click.y) <= tolerance;
    const float above_foot = (*this)[click_above];
    // Only a click here keeps the height; after one in the foot, a smaller foot waits until the pointer moves away.
    if ((*this)[clicked] == 0 || (wanted < before && !rests && above_foot == 0)) return wanted;
    if (before > 0 && rests && (*this)[measured] == 0) return before;
    // The height stays while the pointer is above the part of the panel that would change.
    const float bottom = low.y + ImGui::GetWindowHeight();
    const bool beside = pointer.x < low.x || pointer.x > low.x + ImGui::GetWindowWidth();
    const bool above = pointer.y >= low.y && pointer.y <= bottom - (whole_panel ? 0 : std::min(wanted, before));
    if (before <= 0 || beside) return wanted;
    if (above) return before;
    // With the pointer over it, the foot grows up to the clicked control.
    const float margins = ui.theme.px(row_of_click) + 2 * ui.theme.px(8) + ImGui::GetStyle().WindowPadding.y;
    const float up_to_click = bottom - above_foot - margins;
    return above_foot > 0 && pointer.y <= bottom ? std::min(wanted, std::max(before, up_to_click)) : wanted;
}

}  // namespace vitrine
