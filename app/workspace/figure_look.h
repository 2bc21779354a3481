#pragma once

#include <compare>

namespace vitrine {

/// What lies behind a picture that is taken away: what the window shows, white with the light theme's colours, nothing.
enum class Ground { screen, white, transparent };

/// How a figure for slides differs from what the window shows.
struct FigureLook {
    bool bare = false;      // without title, controls and frame
    bool caption = false;   // a line below says what it shows
    bool outlines = false;  // an SVG's letters are shapes, which look the same wherever they are opened
    auto operator<=>(const FigureLook&) const = default;
};

}  // namespace vitrine
