#pragma once

#include <imgui.h>

#include <cstddef>

#include "app/ui/ui.h"

namespace vitrine {

/// State of a panel's foot from the last frame, in ImGui's storage: heights in px, whether a click in the panel made
/// the newest change, and whether the details of its run are measured.
class SteadyFoot {
public:
    enum Part : ImGuiID {
        details,
        anchored,
        foot,
        pinned,
        changes,
        released,
        clicked,
        measured,
        boxed,
        gapped,
        opened,
        click_above
    };

    explicit SteadyFoot(const char* id) : id_(ImGui::GetID(id)) {}

    float operator[](Part part) const { return storage_.GetFloat(id_ + part); }
    void keep(Part part, float height) { storage_.SetFloat(id_ + part, height); }

    /// Stores whether the newest change of the what-ifs was made by a click in this panel, not by a key or elsewhere.
    void note_changes(std::size_t what_ifs);
    /// The height of the foot in this frame, px. After a click in the panel the height stays, so that a second click
    /// hits the same control: while the pointer rests and the details of the run are not measured yet; and while the
    /// pointer is above the foot, over a row that the foot would uncover or, with `whole_panel`, over the foot. With
    /// the pointer over the foot, it grows no further than to the clicked control above it. It also stays while
    /// `gapped`, which means that a removed change leaves an empty row (`ChangeRows`).
    float height(float wanted, const Ui& ui, bool whole_panel = false) const;

private:
    ImGuiID id_;
    ImGuiStorage& storage_ = *ImGui::GetStateStorage();
};

}  // namespace vitrine
