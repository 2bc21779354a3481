#pragma once

#include <algorithm>
#include <string>

#include "tests/ui/harness.h"

namespace vitrine {

inline const ImVec2 small_window{1280, 720}, large_window{1920, 1080};

/// The height of the letters in which these words stand on the screen; 0 where they do not.
inline float height_of(const Harness& h, const std::string& words) {
    float height = 0;
    for (const Probe::Words& drawn : h.app->probe().words())
        if (drawn.text == words) height = std::max(height, drawn.rect.height());
    return height;
}

inline bool is_written(const Harness& h, const std::string& words) { return height_of(h, words) > 0; }

/// Opens the box of the changes, which is closed in a low window.
inline void open_changes(Harness& h) { h.change()->settings.folded.insert("changes.open"); }

}  // namespace vitrine
