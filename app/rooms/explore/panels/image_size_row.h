#pragma once

#include "app/ui/geometry.h"

namespace vitrine {

struct Frame;

/// The control of the image size, at the top of an area: width and height in steps of patches, and the way back to the
/// usual size. Returns its height with the gap below.
float image_size_row(const Frame& frame, Rect area);

}  // namespace vitrine
