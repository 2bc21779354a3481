#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/files/image.h"
#include "core/training/pictures/picture_set.h"

namespace vitrine {

struct DrawnPicture {
    Image image;  // (size, size, 3)
    int label = 0;
    std::vector<std::uint8_t> object;      // (size, size)  0 … 255: visible coverage by the thing
    std::vector<std::uint8_t> distractor;  // the same for distractors
    std::vector<std::uint8_t> occluder;    // the same for the occluder
};

DrawnPicture draw_picture(const PictureRequest& request);

/// Draws without masks into an existing buffer (size · size · 3); returns the label.
int draw_pixels(const PictureRequest& request, std::uint8_t* rgb);

}  // namespace vitrine
