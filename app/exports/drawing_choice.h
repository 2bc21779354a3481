#pragma once

#include "app/rooms/room.h"

namespace vitrine {

/// Choice of the next drawn picture: class, difficulty and size.
void drawing_choice(const Frame& frame);

}  // namespace vitrine
