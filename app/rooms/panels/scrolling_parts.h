#pragma once

#include <functional>
#include <string>

#include "app/ui/ui.h"

// A panel's parts one below another, of which a low window shows the first.

namespace vitrine {

/// Where they lie in a panel, and what they are about.
struct ScrollingParts {
    const char* id = "";
    float height = 0;  // of them and the row below them
    int subject = 0;   // another one begins at its top
    bool ground = true;
};

/// Parts that scroll. Where they go on they fade, and a row below them, "<id>.more", names what follows and goes there.
void scrolling_parts(const Ui& ui, const ScrollingParts& parts, const std::function<void()>& draw);

/// The head of a part, about to be drawn at ImGui's cursor: the row below names it while its end is out of sight.
void begin_part(const std::string& title);

}  // namespace vitrine
