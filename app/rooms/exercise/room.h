#pragma once

#include "app/rooms/room.h"

namespace vitrine {

/// Code of a course with a mistake: predict what it does, find it, repair it, and see both run on the open model.
Room exercise_room();
const RoomAnswers& exercise_answers();

/// Commands of the room.
const std::vector<CommandRow>& exercise_commands();

}  // namespace vitrine
