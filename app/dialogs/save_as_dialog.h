#pragma once

#include "app/rooms/room.h"

namespace vitrine {

struct House;

/// Under which name the session is saved.
void save_as_dialog(const Frame& frame, const House& house);

}  // namespace vitrine
