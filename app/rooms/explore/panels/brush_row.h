#pragma once

#include "app/ui/geometry.h"

namespace vitrine {

struct Frame;

/// Draws the brush's controls at the top of an area: its mode, its size, and buttons that paint many patches at once.
/// Returns their height with the gap below. Makes the brush active (`in_hand`), unless tokens are shuffled.
float brush_row(const Frame& frame, Rect area);

}  // namespace vitrine
