#pragma once

#include "app/rooms/room.h"

namespace vitrine {

/// Models that learn while one watches.
Room learning_room();

/// Sets up the runs of a name and shows them.
void watch_learning(House& house, const std::string& runs);

/// What one can ask for in it.
const std::vector<CommandRow>& learning_commands();

}  // namespace vitrine
