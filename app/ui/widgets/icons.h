#pragma once

#include "app/ui/widgets/canvas.h"

namespace vitrine {

enum class Icon {
    left,
    right,
    up,
    down,
    play,
    pause,
    close,
    plus,
    check,
    folder,
    picture,
    search,
    sun,
    moon,
    question,
    undo,
    redo,
    warning,
    lecture,
    save,
    copy,
    curve,
    pointer,
    words,
    count
};

/// Drawn by code, so that it is sharp at every scale; `size` is the side of the square it fills.
void draw_icon(Canvas& canvas, Icon icon, Point centre, float size, Color color);

}  // namespace vitrine
