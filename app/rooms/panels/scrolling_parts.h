#pragma once

#include <functional>
#include <string>

#include "app/ui/ui.h"

// Stacked parts of a panel that scroll in a low window.

namespace vitrine {

/// Place and subject of the parts.
struct ScrollingParts {
    const char* id = "";
    float height = 0;  // of the parts and the row below them
    int subject = 0;   // a change scrolls to the top
    bool ground = true;
};

/// Parts that scroll. Cut-off edges fade, and a row below, "<id>.more", names the parts that follow and scrolls to
/// them.
void scrolling_parts(const Ui& ui, const ScrollingParts& parts, const std::function<void()>& draw);

/// Begins a part at ImGui's cursor: the row below names it while its end is not visible.
void begin_part(const std::string& title);

}  // namespace vitrine
