#pragma once

#include <functional>
#include <string_view>

#include "app/ui/ui.h"

// Stacked parts of a panel that scroll in a low window.

namespace vitrine {

/// Place and subject of the parts.
struct ScrollingParts {
    const char* id = "";
    float height = 0;  // of the parts and their headings above them
    int subject = 0;   // a change scrolls to the top
    bool ground = true;
    int changes = 0;             // of the what-ifs: after one that is made elsewhere, the switches stay in sight
    std::string_view show = {};  // the part that is scrolled to, or "top"
    int request = 0;             // once for each number; 0: none
    bool box = false;            // the list of changes below is open: once it opens, the switches stay in sight
};

/// Parts that scroll. Cut-off edges fade; the headings of all parts stay in sight above, "<id>.to.<part>": those in
/// view are bright, and a click scrolls to one.
void scrolling_parts(const Ui& ui, const ScrollingParts& parts, const std::function<void()>& draw);

/// Begins a part at ImGui's cursor; its heading is "section.<part>".
void begin_part(std::string_view part);

}  // namespace vitrine
