#pragma once

#include <string>

#include "app/ui/widgets/canvas.h"

namespace vitrine {

/// Draws words that read upwards, as names of narrow columns do: `top` is where their end is, in the middle of their
/// column. They are outlines, in the window and in files, so the probe does not see them as text: the caller reports
/// them. `size`: of the letters, in that of their font.
void upright_words(Canvas& canvas, Point top, const std::string& words, const TextStyle& style, float size = 1);

}  // namespace vitrine
