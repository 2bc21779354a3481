#pragma once

#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <algorithm>
#include <set>
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
    const Probe& probe = h.app->probe();
    const bool right = h.app->context().workspaces.shown() == 1;  // the half that has the keyboard
    return std::any_of(order.begin(), order.end(), [&](const std::string& id) {
        const Probe::Item* item = right ? probe.find("beside." + id) : nullptr;
        if (item == nullptr) item = probe.find(id);
        return item != nullptr && item->rect.inset(-1).contains(at);
    });
}

/// Puts the mouse on everything on the screen; the items where it finds something to press, but the keyboard does not.
inline std::set<std::string> unreached(Harness& h) {
    std::set<std::string> all;
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
        if (!reached(h, at)) all.insert(id);
    }
    return all;
}

inline void expect_all_reached(Harness& h, const std::string& where) {
    for (const std::string& id : unreached(h))
        ADD_FAILURE() << where << ": the mouse can press " << id << ", the keyboard cannot";
}

}  // namespace vitrine
