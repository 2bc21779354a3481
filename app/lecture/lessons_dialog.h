#pragma once

#include "app/rooms/room.h"

namespace vitrine {

/// Draws the dialog of lessons: all lessons, a lecture without one, and the lecture's options.
void lessons_dialog(const Frame& frame);
/// Draws the choices for presenting: whether there is a presenter's window, and the audience's monitor if there are
/// several.
void hall_choices(const Frame& frame);
/// Draws the dialog for editing the user's own lesson: its stops in order, with their texts and minutes.
void lesson_dialog(const Frame& frame);

}  // namespace vitrine
