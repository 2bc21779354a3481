#pragma once

#include <optional>
#include <string>

#include "app/ui/geometry.h"
#include "app/ui/ui.h"

namespace vitrine {

/// What the mouse (or Enter on the focused area) does to a part of a figure in this frame.
struct Hit {
    std::optional<Point> at;  // the mouse while it is over the area, or the middle of the keyboard's cell
    bool clicked = false, double_clicked = false;
    bool menu = false;  // the right button
};

/// How the keyboard points into an area: the arrows walk over its cells, all of one size. Without cells it does not
/// come here by itself; whoever draws the area announces the whole of which it is a part.
struct Reach {
    int rows = 1, columns = 1;

    static const Reach control, part, along_axis;
};
inline constexpr Reach Reach::control{1, 1}, Reach::part{0, 0}, Reach::along_axis{1, 40};

/// Makes a rectangle of a figure something to point at; `id` is its probe id, `words` what it shows.
Hit hot_area(const Ui& ui, const std::string& id, Rect rect, const std::string& words = {},
             Reach reach = Reach::control);

}  // namespace vitrine
