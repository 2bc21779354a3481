#pragma once

#include "app/rooms/room.h"

namespace vitrine {

/// The stop's notes, question, answer on request, what-ifs, explanation and numbers, under its name; × hides them.
void reading_panel(const Frame& frame);

}  // namespace vitrine
