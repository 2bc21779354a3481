#pragma once

#include <string>

#include "app/rooms/room.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/canvas.h"
#include "app/workspace/library.h"

namespace vitrine {

/// The logo's nine patches, `cell` pixels each.
void draw_logo(Canvas& canvas, const Theme& theme, Point at, float cell);

/// Display name of an image: the translated class of a drawn one, or the file's name.
std::string image_title(const Text& text, const OpenImage& image);
/// Display name of a model: translated for a bundled one, else its own.
std::string model_title(const Text& text, const Model& model);

/// The top bar: rooms, image, model, the focus as a sentence, and tools.
void top_bar(const Frame& frame);

}  // namespace vitrine
