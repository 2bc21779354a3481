#pragma once

#include "app/rooms/room.h"

namespace vitrine {

/// Draws the stop's notes, question, answer on request, what-ifs, explanation and numbers; × hides them.
void reading_panel(const Frame& frame);

}  // namespace vitrine
