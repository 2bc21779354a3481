#pragma once

#include "app/rooms/room.h"

namespace vitrine {

struct AppContext;

/// Asks for the session's name.
void save_as_dialog(const Frame& frame, const AppContext& context);

}  // namespace vitrine
