#pragma once

#include <optional>
#include <string>

#include "app/geometry.h"
#include "app/ui.h"

namespace vitrine {

/// What the mouse (or Enter on the focused area) does to a part of a figure in this frame.
struct Hit {
    std::optional<Point> at;  // the pointer, while it is over the area
    bool clicked = false, double_clicked = false;
};

/// Whether the keyboard comes to an area by itself, or whoever draws it announces the whole of which it is a part.
enum class Reach { control, part };

/// Makes a rectangle of a figure something to point at; `id` is its probe id, `words` what it shows.
Hit hot_area(const Ui& ui, const std::string& id, Rect rect, const std::string& words = {},
             Reach kind = Reach::control);

}  // namespace vitrine
