#pragma once

#include "app/rooms/room.h"

namespace vitrine {

struct AppContext;

/// Under which name the session is saved.
void save_as_dialog(const Frame& frame, const AppContext& context);

}  // namespace vitrine
