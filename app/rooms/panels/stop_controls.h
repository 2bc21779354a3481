#pragma once

#include "app/rooms/room.h"

namespace vitrine {

// Lectures hide the panels, so controls that a stop's texts refer to are drawn beside the texts, at ImGui's cursor.

/// True if the current place has what-ifs.
bool has_switches_here(const Frame& frame);
/// Draws the what-ifs of the current place under the heading that answers refer to; nothing if there are none.
void switches_here(const Frame& frame);
/// Draws the numbers of the current place under the heading that explanations refer to; nothing if there are none.
void numbers_here(const Frame& frame);
/// Draws the button to models trained with and without the place's subject; nothing if there are no such models.
void learning_button(const Frame& frame);

}  // namespace vitrine
