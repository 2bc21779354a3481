#pragma once

#include "app/rooms/room.h"

namespace vitrine {

struct AppContext;

/// Every key, as this keyboard has it.
void help_dialog(const Frame& frame, const AppContext& context);

}  // namespace vitrine
