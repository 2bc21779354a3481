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

/// Draws an icon by code, sharp at every scale; `size` is the side of its square.
void draw_icon(Canvas& canvas, Icon icon, Point centre, float size, Color color);

}  // namespace vitrine
