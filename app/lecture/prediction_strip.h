#pragma once

#include "app/ui/geometry.h"

namespace vitrine {

struct Frame;

// The model's answer at every stop of a lecture, before and after the changes.

/// Width that the answer, a guess and the changes need at the lower edge; 0 if nothing is guessed or changed.
float width_of_strip(const Frame& frame);
/// Draws the answer, before and after the changes, and the changes in a rectangle; a click shows all numbers.
void prediction_strip(const Frame& frame, Rect rect);
/// Draws all numbers of the prediction over the picture, on request.
void prediction_card(const Frame& frame);
/// Draws the answer in a line of a panel, and all its numbers on request or if it is changed.
void prediction_here(const Frame& frame);

}  // namespace vitrine
