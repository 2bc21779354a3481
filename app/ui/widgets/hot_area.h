#pragma once

#include <optional>
#include <string>

#include "app/ui/geometry.h"
#include "app/ui/ui.h"

namespace vitrine {

/// Actions of the mouse (or Enter on the focused area) on a part of a figure in this frame.
struct Hit {
    std::optional<Point> at;  // the mouse over the area, or the middle of the keyboard's cell
    bool clicked = false, double_clicked = false;
    bool menu = false;  // right button
};

/// Keyboard access to an area: the arrow keys move among its cells, all of one size. Without cells it cannot be focused
/// by itself; the caller registers the whole area it is a part of.
struct Reach {
    int rows = 1, columns = 1;

    static const Reach control, part, along_axis;
};
inline constexpr Reach Reach::control{1, 1}, Reach::part{0, 0}, Reach::along_axis{1, 40};

/// Makes a rectangle of a figure interactive; `id` is its probe id, `words` its content.
Hit hot_area(const Ui& ui, const std::string& id, Rect rect, const std::string& words = {},
             Reach reach = Reach::control);

}  // namespace vitrine
