#pragma once

#include "app/rooms/room.h"

namespace vitrine {

/// The lessons, a lecture without one, and the lecture's options.
void lessons_dialog(const Frame& frame);
/// Where a lesson is presented from: whether there is a presenter's window, and the audience's monitor if there are
/// several.
void hall_choices(const Frame& frame);
/// The user's own lesson: its stops in order, with notes and minutes.
void lesson_dialog(const Frame& frame);

}  // namespace vitrine
