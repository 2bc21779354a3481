#pragma once

#include "app/rooms/room.h"

namespace vitrine {

/// The Text room: a text Transformer chapter by chapter.
Room text_room();
const RoomAnswers& text_answers();

/// Commands of the room.
const std::vector<CommandRow>& text_commands();

}  // namespace vitrine
