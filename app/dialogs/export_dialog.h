#pragma once

#include "app/rooms/room.h"

namespace vitrine {

struct AppContext;

/// Pictures, numbers and sessions.
void export_dialog(const Frame& frame, const AppContext& context);
/// Offers back what was open when the window was killed.
void recover_dialog(const Frame& frame, const AppContext& context);

}  // namespace vitrine
