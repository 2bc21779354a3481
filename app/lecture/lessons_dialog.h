#pragma once

#include "app/rooms/room.h"

namespace vitrine {

/// The lessons, and a lecture without one; what a lecture looks like.
void lessons_dialog(const Frame& frame);
/// One's own lesson: its stops in their order, their notes and minutes.
void lesson_dialog(const Frame& frame);

}  // namespace vitrine
