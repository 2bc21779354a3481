#include "app/rooms/panels/change_rows.h"

#include <algorithm>
#include <bit>

#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/ui.h"

namespace vitrine {

namespace {

constexpr std::size_t most_rows_seen = 2;  // number of changes visible without scrolling
constexpr float row_of_change = 32;        // px at scale 1

}  // namespace

float changes_height(const Ui& ui, std::size_t changes) {
    const auto rows = static_cast<float>(std::min(changes, most_rows_seen));
    return rows * ui.theme.px(row_of_change) + std::max(0.0F, rows - 1) * ImGui::GetStyle().ItemSpacing.y;
}

ChangeRows::ChangeRows(const Ui& ui, const char* id, std::size_t changes)
    : ui_(ui), id_(ImGui::GetID(id)), changes_(changes) {
    const int now = ImGui::GetFrameCount();
    const bool continues = now - storage_.GetInt(id_ + frame, -2) <= 1;
    const bool more = static_cast<int>(changes) > storage_.GetInt(id_ + shown, 0);
    if (continues && !more) gaps_ = static_cast<unsigned>(storage_.GetInt(id_ + mask, 0));
    storage_.SetInt(id_ + frame, now);
    storage_.SetInt(id_ + shown, static_cast<int>(changes));
}

std::size_t ChangeRows::gaps() const { return static_cast<std::size_t>(std::popcount(gaps_)); }

void ChangeRows::skip_gaps() {
    for (; is_gap(next_); ++next_) ImGui::Dummy({1, ui_.theme.px(row_of_change)});
}

ChipClick ChangeRows::row(const Control& control, ChipState state) {
    skip_gaps();
    state.width = -1;
    state.switch_tip = ui_.text("removals.undo");
    const ChipClick click = chip(ui_, control, state);
    if (click == ChipClick::switched && next_ < most) taken_back_ |= 1U << next_;
    ++next_;
    return click;
}

void ChangeRows::end() {
    skip_gaps();
    const ImVec2 low = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    const bool here = ImGui::IsMouseHoveringRect(low, {low.x + size.x, low.y + size.y}, false);
    storage_.SetInt(id_ + mask, here ? static_cast<int>(gaps_ | taken_back_) : 0);
}

}  // namespace vitrine
