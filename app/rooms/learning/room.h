#pragma once

#include "app/rooms/room.h"

namespace vitrine {

/// Models that learn while one watches.
Room learning_room();

/// What one can ask for in it.
const std::vector<CommandRow>& learning_commands();

}  // namespace vitrine
