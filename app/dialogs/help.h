#pragma once

#include "app/rooms/room.h"

namespace vitrine {

struct AppContext;

/// All keyboard shortcuts, with the labels of this keyboard.
void help_dialog(const Frame& frame, const AppContext& context);

}  // namespace vitrine
