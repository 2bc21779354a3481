#pragma once

#include "app/rooms/room.h"

namespace vitrine {

struct AppContext;

/// Eight instruments over one run, measured while one looks.
Room laboratory_room();
const RoomAnswers& laboratory_answers();

/// What one can ask for in it.
const std::vector<CommandRow>& laboratory_commands();

/// So many instruments on, back where `by` is negative; it stops at the ends.
void walk_instruments(AppContext& context, int by);

}  // namespace vitrine
