#pragma once

#include "app/rooms/room.h"

namespace vitrine {

/// The encoder step by step: map, picture of a step, explanation, tokens and time line.
Room explore_room();
std::vector<Zone> explore_zones(const Frame& frame);

/// Commands of the room.
const std::vector<CommandRow>& explore_commands();

}  // namespace vitrine
