#pragma once

#include "app/rooms/room.h"

namespace vitrine {

// In a lecture the panels slide away. What the words of a stop name is drawn with the words, each from the cursor on.

/// Whether something can be switched at the place that is shown.
bool has_switches_here(const Frame& frame);
/// What can be switched there, under the heading that answers name.
void switches_here(const Frame& frame);
/// The numbers of the place, under the heading that explanations name; nothing where it has none.
void numbers_here(const Frame& frame);
/// The way to models that learn with and without what the place speaks of; nothing where there is none.
void way_to_learning_here(const Frame& frame);

}  // namespace vitrine
