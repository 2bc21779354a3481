#pragma once

#include <array>

#include "app/ui/scales.h"
#include "app/ui/theme.h"
#include "core/base/names.h"

namespace vitrine {

/// Perceptually uniform colour maps, made from a few control points in Oklab (Ottosson 2020), resampled to equal steps
/// of colour difference; safe for the common kinds of colour blindness, because lightness alone shows the amount.
enum class ColourMap {
    sequential,  // attention and other amounts from 0: lightness strictly increasing, in both themes
    diverging,   // signed values around 0: blue – neutral – orange, symmetric in lightness
};
inline constexpr Named<ColourMap> colour_map_names[] = {{ColourMap::sequential, "sequential"},
                                                        {ColourMap::diverging, "diverging"}};

/// True if a map is for signed values: its middle is 0.
bool is_signed(ColourMap map);

inline constexpr int colour_map_steps = 256;

/// The 256 colours of a map; the neutral middle of signed maps is the theme's background.
const std::array<Color, colour_map_steps>& colours_of(ColourMap map, ThemeKind kind);

/// Powers of ten shown by a logarithmic scale below its upper end; smaller values have the lowest colour.
inline constexpr float log_decades = 4.0F;

/// A range of values with its colour map. Signed values support the root, sign(x)·√|x|, but no logarithm.
struct ColourScale {
    ColourMap map = ColourMap::sequential;
    float low = 0.0F, high = 1.0F;
    Curve curve = Curve::linear;

    /// 0 … 1, clamped; 0 for an empty range.
    float position(float value) const;
};

Color colour_at(const ColourScale& scale, float value, ThemeKind kind);

/// A colour in a space where Euclidean distance is the perceived difference (Ottosson 2020); L is 0 for black, 1 for
/// white.
struct Oklab {
    double L = 0, a = 0, b = 0;
};

Oklab to_oklab(Color color);
double difference(const Oklab& one, const Oklab& other);

/// The colours of a map before rounding to 8 bits.
const std::array<Oklab, colour_map_steps>& oklab_of(ColourMap map, ThemeKind kind);

}  // namespace vitrine
