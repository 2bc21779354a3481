#pragma once

#include <string>

#include "tests/ui/harness.h"

namespace vitrine {

/// Points at a place of a figure, in shares of its width and height.
inline void click_cell(Harness& h, const std::string& figure, float x, float y) {
    const Rect rect = h.item(figure).rect;
    h.input.move(rect.x0 + rect.width() * x, rect.y0 + rect.height() * y);
    h.frame(3);
}

}  // namespace vitrine
