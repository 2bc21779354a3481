#pragma once

#include "app/rooms/room.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/canvas.h"

namespace vitrine {

/// The nine patches of the logo, `cell` pixels each.
void draw_logo(Canvas& canvas, const Theme& theme, Point at, float cell);

/// What am I looking at? The rooms, the image, the model, the selection as a sentence, the tools.
void top_bar(const Frame& frame);

}  // namespace vitrine
