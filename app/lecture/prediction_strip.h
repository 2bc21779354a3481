#pragma once

#include "app/ui/geometry.h"

namespace vitrine {

struct Frame;

// The model's answer at every stop of a lecture, before and after what is changed.

/// Width that the answer and the changes need at the lower edge; 0 while nothing is changed.
float width_of_strip(const Frame& frame);
/// Both answers, from the left of a rectangle; a click shows all numbers.
void prediction_strip(const Frame& frame, Rect rect);
/// All numbers over the picture, on request.
void prediction_card(const Frame& frame);
/// The answer in a line of a panel, and all its numbers on request; what is changed, with a way back.
void prediction_here(const Frame& frame);

}  // namespace vitrine
