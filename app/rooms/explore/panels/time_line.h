#pragma once

#include "app/rooms/room.h"

namespace vitrine {

/// The time line: back, play, next; the steps; the time of the step's animation.
void time_line(const Frame& frame);

}  // namespace vitrine
