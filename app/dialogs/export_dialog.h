#pragma once

#include "app/rooms/room.h"

namespace vitrine {

struct House;

/// Pictures, numbers and sessions.
void export_dialog(const Frame& frame, const House& house);
/// Offers back what was open when the window was killed.
void recover_dialog(const Frame& frame, const House& house);

}  // namespace vitrine
