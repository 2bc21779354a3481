#pragma once

#include <imgui.h>

#include <cstddef>

#include "app/ui/ui.h"

namespace vitrine {

/// Heights of a panel's foot in the last frame, px; whether a click in the panel made the newest change, and whether
/// its run's details are measured.
class SteadyFoot {
public:
    enum Part : ImGuiID { details, anchored, foot, pinned, changes, released, clicked, measured, boxed, gapped };

    explicit SteadyFoot(const char* id) : id_(ImGui::GetID(id)) {}

    float operator[](Part part) const { return storage_.GetFloat(id_ + part); }
    void keep(Part part, float height) { storage_.SetFloat(id_ + part, height); }

    /// Notes whether a click in this panel made the newest change of the what-ifs, in place of a key or a click
    /// elsewhere.
    void note_changes(std::size_t what_ifs);
    /// The height that the foot takes now. After a click in the panel it does not change until the details of its run
    /// are measured, nor while the pointer is above it, where one reads, scrolls and clicks again, or rests where a row
    /// would be uncovered: a second click hits what the first one hit, and scrolling changes no height. With
    /// `whole_panel` it does not change either while the pointer is over the foot, whose first rows are clicked. Nor
    /// does it while `gapped`: the place of a row that was taken back is kept (`ChangeRows`).
    float height(float wanted, const Ui& ui, bool whole_panel = false) const;

private:
    ImGuiID id_;
    ImGuiStorage& storage_ = *ImGui::GetStateStorage();
};

}  // namespace vitrine
