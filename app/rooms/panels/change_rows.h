#pragma once

#include <imgui.h>

#include <cstddef>

#include "app/ui/widgets/controls.h"

namespace vitrine {

/// The rows of a list of changes, drawn in a child window: the name leads to the changed part, the symbol takes the
/// change back. The place of one that was taken back stays empty while the pointer is over the list, so that no other
/// one comes under it.
class ChangeRows {
public:
    /// In the child window's parent; `changes` of them are on.
    ChangeRows(const Ui& ui, const char* id, std::size_t changes);

    /// Number of rows, empty places included.
    std::size_t rows() const { return changes_ + gaps(); }
    std::size_t gaps() const;
    /// Draws the next one, across the child window.
    ChipClick row(const Control& control, ChipState state);
    /// After the last one.
    void end();

private:
    enum Part : ImGuiID { mask, shown, frame };

    void skip_gaps();
    bool is_gap(std::size_t row) const { return row < most && (gaps_ >> row & 1U) != 0; }

    static constexpr std::size_t most = 16;  // rows whose places are kept

    const Ui& ui_;
    ImGuiID id_;
    ImGuiStorage& storage_ = *ImGui::GetStateStorage();
    std::size_t changes_, next_ = 0;
    unsigned gaps_ = 0, taken_back_ = 0;  // a bit for each row
};

/// The height of so many rows in sight, further ones being reached by scrolling.
float changes_height(const Ui& ui, std::size_t rows);

}  // namespace vitrine
