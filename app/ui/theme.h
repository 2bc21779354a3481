#pragma once

#include <array>
#include <cstdint>

struct ImFont;

namespace vitrine {

struct Color {
    std::uint8_t r = 0, g = 0, b = 0, a = 255;

    Color with_alpha(float alpha) const;  // 0 … 1
    bool operator==(const Color&) const = default;
};

/// One colour for one meaning everywhere: map, stage, equation, words. Colour is never the only sign.
struct Palette {
    Color background, panel, raised, line;  // window, zones, controls on a zone, hairlines
    Color text, muted;                      // both at least 4.5 : 1 on panel and raised
    Color accent, on_accent;                // selection and its text
    Color query, key, value;                // blue, orange, green
    Color norm, mlp, residual;              // teal, violet, grey
    Color positive, negative;               // an increase, a decrease; the ends of signed colour maps
    Color danger, shade;                    // errors; the dimming under a dialog
};

enum class ThemeKind { dark, light };

/// The styles of text; nothing is smaller than 14 px at any scale.
enum class Font { caption, body, strong, heading, title, mono, count };

/// Colours, sizes and fonts of one frame. `scale` multiplies every size; `px()` rounds to whole pixels.
struct Theme {
    ThemeKind kind = ThemeKind::dark;
    float scale = 1.0F;
    Palette palette;
    std::array<ImFont*, static_cast<std::size_t>(Font::count)> fonts = {};

    float px(float at_1080p) const;
    ImFont* font(Font which) const { return fonts[static_cast<std::size_t>(which)]; }
};

const Palette& palette_of(ThemeKind kind);

/// Opacity of a faint curve beside a strong one; its contrast is still 3 : 1.
inline constexpr float faint_curve = 0.75F;

/// WCAG contrast ratio of two opaque colours, 1 … 21.
double contrast(Color a, Color b);

}  // namespace vitrine
