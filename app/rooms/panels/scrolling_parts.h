#pragma once

#include <functional>
#include <string_view>

#include "app/ui/ui.h"

// Stacked parts of a panel that scroll in a low window.

namespace vitrine {

/// Place and subject of the parts.
struct ScrollingParts {
    const char* id = "";
    float height = 0;            // of the parts and their headings above them, px
    int subject = 0;             // another subject scrolls to the top
    bool ground = true;          // the panel is opaque, so that edges can fade to its colour
    int changes = 0;             // number of what-ifs: if it grows by a change elsewhere, the switches stay in sight
    std::string_view show = {};  // the part to scroll to on `request`, or "top"
    int request = 0;             // another number scrolls once; 0: no request
    bool box = false;            // the list of changes below is open: if its line opens it, the switches stay in sight
};

/// Draws parts that scroll. Edges that cut off parts fade. If the parts do not fit, the headings of all parts stay
/// above them (probe ids "<id>.to.<part>"): those of visible parts are bright, and a click scrolls to a part.
void scrolling_parts(const Ui& ui, const ScrollingParts& parts, const std::function<void()>& draw);

/// Begins a part at ImGui's cursor; the key of its heading is "section.<part>".
void begin_part(std::string_view part);

}  // namespace vitrine
