#pragma once

#include "app/rooms/room.h"

namespace vitrine {

/// The number in view written out with what it is computed from, else the step's own; a pinned one has a button that
/// unpins it.
void number_written_out(const Frame& frame);

}  // namespace vitrine
