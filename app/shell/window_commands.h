#pragma once

#include "app/rooms/house.h"

namespace vitrine {

/// What can be asked for in every room.
const std::vector<CommandRow>& window_commands();

}  // namespace vitrine
