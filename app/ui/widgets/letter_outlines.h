#pragma once

#include <string>
#include <vector>

#include "app/ui/widgets/equation_paths.h"

namespace vitrine {

/// A line of text as outlines of the embedded fonts, for drawings that look the same without these fonts: pixels, y
/// down, y = 0 at the top of the line, x = 0 at its beginning.
struct LetterOutlines {
    std::vector<Outline> letters;
    float width = 0;
};
LetterOutlines letter_outlines(const std::string& words, Font font, float line_height);

}  // namespace vitrine
