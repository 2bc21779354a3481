#pragma once

#include "app/rooms/room.h"

namespace vitrine {

/// The lessons, and a lecture without one.
void lessons_dialog(const Frame& frame);

}  // namespace vitrine
