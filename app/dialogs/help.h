#pragma once

#include "app/rooms/room.h"

namespace vitrine {

struct House;

/// Every key, as this keyboard has it.
void help_dialog(const Frame& frame, const House& house);

}  // namespace vitrine
