#pragma once

#include <cstdint>
#include <vector>

#include "app/ui/widgets/equation_paths.h"

namespace vitrine {

/// How much of each pixel an area covers, 0 … 1, for the pixels of its own bounding box only, as far as it is asked
/// for.
struct Coverage {
    int x = 0, y = 0;  // of its first pixel
    int width = 0, height = 0;
    std::vector<float> amount;  // (height, width)

    float at(int column, int row) const { return amount[static_cast<std::size_t>(row) * width + column]; }
};

/// Exact but for curves, which become lines shorter than a pixel; pixels = (outline − origin) · scale. Of what lies
/// outside `within`, in whole pixels, nothing is kept but what it encloses inside.
Coverage coverage_of(const Outline& outline, Point origin, float scale, Rect within = {-1e6F, -1e6F, 1e6F, 1e6F});

/// Straight (not premultiplied) RGBA, rows from the top.
struct EquationPixels {
    int width = 0, height = 0;
    std::vector<std::uint8_t> rgba;  // (height, width, 4)
};

/// `scale` in pixels per point. The baseline lies between two rows, so that lines of one equation share their
/// sharpness.
EquationPixels rasterise(const EquationInk& ink, float scale);

}  // namespace vitrine
