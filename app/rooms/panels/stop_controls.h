#pragma once

#include "app/rooms/room.h"

namespace vitrine {

// In a lecture the panels are hidden. Controls that a stop's texts refer to are drawn beside the texts, from ImGui's
// cursor on.

/// True if the current place has what-ifs.
bool has_switches_here(const Frame& frame);
/// The what-ifs there, under the heading that answers refer to.
void switches_here(const Frame& frame);
/// The numbers there, under the heading that explanations refer to; nothing if there are none.
void numbers_here(const Frame& frame);
/// Link to models trained with and without the place's subject; nothing if there is none.
void learning_button(const Frame& frame);

}  // namespace vitrine
