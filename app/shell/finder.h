#pragma once

#include "app/rooms/room.h"

namespace vitrine {

/// Any step, block, head, token, sample, instrument or command by typing.
void find_dialog(const Frame& frame, const House& house);

}  // namespace vitrine
