#pragma once

#include "app/rooms/room.h"

namespace vitrine {

struct AppContext;

/// Export of pictures, numbers and sessions.
void export_dialog(const Frame& frame, const AppContext& context);
/// Offers to restore the sessions of killed windows.
void recover_dialog(const Frame& frame, const AppContext& context);

}  // namespace vitrine
