#pragma once

#include <compare>

namespace vitrine {

/// Background of an exported picture: the window's, white with the light theme's colours, or transparent.
enum class Ground { screen, white, transparent };

/// Appearance of a figure exported for slides.
struct FigureLook {
    bool bare = false;      // without controls and frame
    bool caption = false;   // with a line of explanation below
    bool outlines = false;  // letters in an SVG as outlines, independent of installed fonts
    bool title = false;     // of a bare figure: with its title above, as on the screen
    auto operator<=>(const FigureLook&) const = default;
};

}  // namespace vitrine
