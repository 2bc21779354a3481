#pragma once

#include "app/rooms/room.h"

namespace vitrine {

/// Which moment? Back, play, next; the steps; the time of the step's motion.
void time_line(const Frame& frame);

}  // namespace vitrine
