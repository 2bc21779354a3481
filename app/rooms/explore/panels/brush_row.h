#pragma once

#include "app/ui/geometry.h"

namespace vitrine {

struct Frame;

/// The brush's controls, at the top of an area: what it does, its size, and what fills many patches at once. Returns
/// their height with the gap below, and puts the brush in hand.
float brush_row(const Frame& frame, Rect area);

}  // namespace vitrine
