#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "app/ui/geometry.h"
#include "app/ui/widgets/colour_map.h"

namespace vitrine {

struct Image;

/// A matrix of numbers with its colour scale, whose range is shown by `colour_bar`.
struct HeatMap {
    const float* values = nullptr;  // (rows, columns), row-major
    int rows = 0, columns = 0;
    ColourScale scale = {};
    /// 1: opaque. Below 1: opacity of the weakest cells, growing with the square root of the value, so that a picture
    /// underneath stays visible.
    float opacity_floor = 1.0F;
};

/// The colour of a cell, including its opacity.
Color colour_of_cell(const HeatMap& map, float value, ThemeKind kind);

/// An 8-bit picture; its texture is kept while it is drawn. `crop` in pixels of the picture.
struct Picture {
    std::shared_ptr<const Image> image;
    Rect crop = {};          // empty: the whole picture
    bool pixelated = false;  // nearest neighbour, so that every pixel is a square
    float opacity = 1.0F;
    float saturation = 1.0F;  // 0: grey, for a picture behind a map
};

/// Blends (…, 3) 8-bit pixels with their grey: 1 leaves them unchanged, 0 gives grey.
void desaturate(std::span<std::uint8_t> rgb, float saturation);

}  // namespace vitrine
