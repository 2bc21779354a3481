#pragma once

#include "app/rooms/room.h"
#include "app/ui/geometry.h"

namespace vitrine {

/// Draws the time line: back, play, next; the steps; the time of the step's animation.
void time_line(const Frame& frame);

/// Writes out the number in view with the numbers that it is computed from; without one, the step's own number. A
/// pinned one has a button that unpins it.
void number_written_out(const Frame& frame);

/// Draws the brush's controls at the top of an area: its mode, its size, and buttons that paint many patches at once.
/// Returns their height with the gap below. Makes the brush active (`in_hand`), unless tokens are shuffled.
float brush_row(const Frame& frame, Rect area);

/// Draws the control of the image size at the top of an area: width and height in steps of patches, and a button that
/// restores the usual size. Returns its height with the gap below.
float image_size_row(const Frame& frame, Rect area);

/// True if the chapter compares words with images and the shown model has no text tower for that.
bool lacks_text_tower(const Frame& frame);

/// Draws a button below that chapter's message, which opens the list of models to download.
void get_model_row(const Frame& frame, Rect area);

}  // namespace vitrine
