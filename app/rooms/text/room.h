#pragma once

#include "app/rooms/room.h"

namespace vitrine {

/// Sentences: what a Transformer of words reads and writes, chapter by chapter.
Room text_room();
const RoomAnswers& text_answers();

/// What one can ask for in it.
const std::vector<CommandRow>& text_commands();

}  // namespace vitrine
