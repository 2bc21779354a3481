#pragma once

#include "app/rooms/room.h"

namespace vitrine {

/// Writes out the number in view with the numbers that it is computed from; without one, the step's own number. A
/// pinned one has a button that unpins it.
void number_written_out(const Frame& frame);

}  // namespace vitrine
