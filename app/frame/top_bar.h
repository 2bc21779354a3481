#pragma once

#include <string>

#include "app/rooms/room.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/canvas.h"
#include "app/workspace/library.h"

namespace vitrine {

/// The nine patches of the logo, `cell` pixels each.
void draw_logo(Canvas& canvas, const Theme& theme, Point at, float cell);

/// What the window calls an image: a drawn one by its class in the window's language, a file by its name.
std::string image_title(const Text& text, const OpenImage& image);
/// What the window calls a model: a bundled one in the window's language, others as they are named.
std::string model_title(const Text& text, const Model& model);

/// What am I looking at? The rooms, the image, the model, the selection as a sentence, the tools.
void top_bar(const Frame& frame);

}  // namespace vitrine
