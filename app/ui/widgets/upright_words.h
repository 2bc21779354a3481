#pragma once

#include <string>

#include "app/ui/widgets/canvas.h"

namespace vitrine {

/// Draws words that read upwards, for the names of narrow columns; `top` is their upper end, in the middle of the
/// column. They are outlines, in the window and in files, so the probe does not see them as text: the caller reports
/// them. `size`: relative to the font's.
void upright_words(Canvas& canvas, Point top, const std::string& words, const TextStyle& style, float size = 1);

}  // namespace vitrine
