#pragma once

#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <algorithm>
#include <string>

#include "app/ui/keyboard_focus.h"
#include "tests/ui/harness.h"

namespace vitrine {

inline bool in_order(Harness& h, const std::string& id) {
    const auto& order = h.app->keyboard_focus().order();
    return std::find(order.begin(), order.end(), id) != order.end();
}

/// Presses Tab until the focus is on a control; false where it never comes there.
inline bool tab_to(Harness& h, const std::string& id) {
    for (std::size_t i = 0; i <= h.app->keyboard_focus().order().size(); ++i) {
        if (h.app->keyboard_focus().visible() && h.app->keyboard_focus().focused() == id) return true;
        h.strike(Key::tab);
    }
    return false;
}

/// Whether a control of the order lies there.
inline bool reached(const Harness& h, Point at) {
    const auto& order = h.app->keyboard_focus().order();
    return std::any_of(order.begin(), order.end(), [&](const std::string& id) {
        const Probe::Item* const item = h.app->probe().find(id);
        return item != nullptr && item->rect.contains(at);
    });
}

/// Puts the mouse on everything on the screen: where ImGui finds something to press, the keyboard must come, too.
inline void expect_all_reached(Harness& h, const std::string& where) {
    h.frame(2);
    const auto items = h.app->probe().items();
    for (const auto& [id, item] : items) {
        if (!item.visible || id.find(".cell.") != std::string::npos) continue;
        const Point at = item.rect.centre();
        h.input.move(at.x, at.y);
        h.frame(2);  // the order is the last frame's, and what is pointed at changes what is drawn
        const Probe::Item* const still = h.app->probe().find(id);
        const ImGuiContext& g = *ImGui::GetCurrentContext();
        if (g.HoveredId == 0 || g.HoveredIdDisabled || still == nullptr || !still->rect.contains(at)) continue;
        if (g.HoveredWindow != nullptr && g.HoveredId == ImGui::GetWindowScrollbarID(g.HoveredWindow, ImGuiAxis_Y))
            continue;
        EXPECT_TRUE(reached(h, at)) << where << ": the mouse can press " << id << ", the keyboard cannot";
    }
}

}  // namespace vitrine
