#pragma once

#include <imgui.h>

#include <cstddef>

#include "app/ui/widgets/controls.h"

namespace vitrine {

/// The rows of a list of changes, drawn in a child window: a click on the name leads to the changed part, one on the
/// symbol removes the change. While the pointer is over the list, a removed change leaves an empty row, so that no
/// other row moves under the pointer.
class ChangeRows {
public:
    /// Call in the child window's parent; `changes` is the number of current changes.
    ChangeRows(const Ui& ui, const char* id, std::size_t changes);

    /// Number of rows, including empty ones.
    std::size_t rows() const { return changes_ + gaps(); }
    /// Number of empty rows.
    std::size_t gaps() const;
    /// Draws the next row, across the child window; returns the part that is clicked.
    ChipClick row(const Control& control, ChipState state);
    /// Call after the last row.
    void end();

private:
    enum Part : ImGuiID { mask, shown, frame };

    void skip_gaps();
    bool is_gap(std::size_t row) const { return row < most && (gaps_ >> row & 1U) != 0; }

    static constexpr std::size_t most = 16;  // number of rows that can stay as empty ones

    const Ui& ui_;
    ImGuiID id_;
    ImGuiStorage& storage_ = *ImGui::GetStateStorage();
    std::size_t changes_, next_ = 0;
    unsigned gaps_ = 0, taken_back_ = 0;  // a bit for each row
};

/// The height of a list of `rows` rows, px; the list shows two rows at most and scrolls to the others.
float changes_height(const Ui& ui, std::size_t rows);

}  // namespace vitrine
