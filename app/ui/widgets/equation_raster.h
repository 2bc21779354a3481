#pragma once

#include <cstdint>
#include <vector>

#include "app/ui/widgets/equation_paths.h"

namespace vitrine {

/// Coverage of pixels by an area, 0 … 1, for the requested part of its bounding box.
struct Coverage {
    int x = 0, y = 0;  // of the first pixel
    int width = 0, height = 0;
    std::vector<float> amount;  // (height, width)

    float at(int column, int row) const { return amount[static_cast<std::size_t>(row) * width + column]; }
};

/// The coverage of an outline, where pixels = (outline − origin) · scale. Exact, except that each curve becomes at most
/// 64 lines. Keeps only pixels inside `within`, in whole pixels.
Coverage coverage_of(const Outline& outline, Point origin, float scale, Rect within = {-1e6F, -1e6F, 1e6F, 1e6F});

/// Straight (not premultiplied) RGBA, top row first.
struct EquationPixels {
    int width = 0, height = 0;
    std::vector<std::uint8_t> rgba;  // (height, width, 4)
};

/// Draws an equation into pixels; `scale` in pixels per point. The baseline is on a pixel boundary, so that all lines
/// of an equation are equally sharp.
EquationPixels rasterise(const EquationInk& ink, float scale);

}  // namespace vitrine
