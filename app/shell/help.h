#pragma once

#include "app/rooms/room.h"

namespace vitrine {

/// Every key, as this keyboard has it.
void help_dialog(const Frame& frame, const House& house);

}  // namespace vitrine
