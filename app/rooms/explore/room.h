#pragma once

#include "app/rooms/room.h"

namespace vitrine {

struct Table;

/// The encoder step by step: the map, the picture of a step, what it means, the tokens and the time line.
Room explore_room();
const RoomAnswers& explore_answers();
std::vector<Zone> explore_zones(const Frame& frame);
/// The attention of the chosen block, as numbers.
Table attention_in_view(const AppContext& context);

/// Commands of the room.
const std::vector<CommandRow>& explore_commands();

}  // namespace vitrine
