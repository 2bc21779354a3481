#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "app/ui/geometry.h"
#include "app/ui/widgets/colour_map.h"

namespace vitrine {

struct Image;

/// A matrix of numbers and how they become colours: one honest scale, its range stated beside it by `colour_bar`.
struct HeatMap {
    const float* values = nullptr;  // (rows, columns), row-major
    int rows = 0, columns = 0;
    ColourScale scale = {};
    /// 1: opaque. Below 1: the weakest cells keep this opacity and it grows with the square root, so that a picture
    /// underneath stays visible.
    float opacity_floor = 1.0F;
};

/// The colour of one cell, its opacity included.
Color colour_of_cell(const HeatMap& map, float value, ThemeKind kind);

/// An 8-bit picture; its texture lives as long as the picture is drawn. `crop` in pixels of the picture.
struct Picture {
    std::shared_ptr<const Image> image;
    Rect crop = {};          // empty: all of it
    bool pixelated = false;  // nearest neighbour: every pixel a square
    float opacity = 1.0F;
    float saturation = 1.0F;  // 0: grey, for a picture that stands behind a map
};

/// Mixes (…, 3) 8-bit pixels with their grey: 1 leaves them, 0 leaves grey alone.
void desaturate(std::span<std::uint8_t> rgb, float saturation);

}  // namespace vitrine
