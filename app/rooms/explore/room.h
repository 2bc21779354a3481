#pragma once

#include "app/rooms/room.h"

namespace vitrine {

struct Table;

/// The encoder step by step: map, picture of a step, explanation, tokens and time line.
Room explore_room();
const RoomAnswers& explore_answers();
std::vector<Zone> explore_zones(const Frame& frame);
/// The attention of the chosen block as a table.
Table attention_in_view(const AppContext& context);

/// Commands of the room.
const std::vector<CommandRow>& explore_commands();

}  // namespace vitrine
