#pragma once

#include "app/rooms/room.h"

namespace vitrine {

/// Which experiment? A list, and what the chosen one shows, with what was measured.
void experiment_choices(const Frame& frame);

}  // namespace vitrine
