#pragma once

#include "app/rooms/room.h"

namespace vitrine {

/// The encoder step by step: the map, the picture of a step, what it means, the tokens and the time line.
Room explore_room();
std::vector<Zone> explore_zones(const Frame& frame);

/// What one can ask for in it.
const std::vector<CommandRow>& explore_commands();

}  // namespace vitrine
