#pragma once

#include <array>

#include "app/ui/theme.h"

namespace vitrine {

class Text;
class Glyphs;
struct Embedded;

/// Fills ImGui's atlas with the embedded fonts at the theme's scale and sets `theme.fonts`: Latin, Greek, mathematics,
/// and every code point of the tables of words and of other text so far. The renderer must upload the atlas afterwards.
void build_fonts(Theme& theme, const Text& text, Glyphs* glyphs = nullptr);

/// ImGui's colours, roundings and paddings for a theme.
void apply_style(const Theme& theme);

/// The embedded font files of a font, in the order in which a letter is looked up. `sources_of`: with the line height
/// of each file, in pixels, in lines of `line_height` pixels.
struct FontSource {
    const Embedded* file;
    float line_height;
};
std::array<FontSource, 3> sources_of(Font font, float line_height);

/// The line height of a font at a scale, in pixels; its em is never below 14 px.
float font_size(Font font, float scale);

}  // namespace vitrine
