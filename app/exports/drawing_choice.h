#pragma once

#include "app/rooms/room.h"

namespace vitrine {

/// Which picture is drawn afresh: class, difficulty and size.
void drawing_choice(const Frame& frame);

}  // namespace vitrine
