#pragma once

#include "app/ui/geometry.h"

namespace vitrine {

struct Frame;

/// Whether the shown model cannot compare words with its images, and the chapter is about that.
bool lacks_text_tower(const Frame& frame);

/// A button below what such a chapter says, which leads to models that can.
void get_model_row(const Frame& frame, Rect area);

}  // namespace vitrine
