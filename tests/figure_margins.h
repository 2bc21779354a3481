#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace vitrine {

/// Pixels between what a picture shows on its ground, the colour of its first pixel, and its left, upper, right and
/// lower edge.
inline std::array<int, 4> figure_margins(const std::uint8_t* pixels, int width, int height, int channels) {
    int left = width, top = height, right = 0, bottom = 0;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            const std::uint8_t* const at = pixels + (static_cast<std::ptrdiff_t>(y) * width + x) * channels;
            if (std::equal(at, at + channels, pixels)) continue;
            left = std::min(left, x), top = std::min(top, y);
            right = std::max(right, x + 1), bottom = std::max(bottom, y + 1);
        }
    return {left, top, width - right, height - bottom};
}

}  // namespace vitrine
