#pragma once

#include "app/rooms/room.h"

namespace vitrine {

struct AppContext;

/// The laboratory: instruments that measure one run.
Room laboratory_room();
const RoomAnswers& laboratory_answers();

/// Commands of the room.
const std::vector<CommandRow>& laboratory_commands();

/// Moves `by` instruments forward, or back if negative; stops at the ends.
void walk_instruments(AppContext& context, int by);

}  // namespace vitrine
