#pragma once

#include "app/rooms/room.h"

namespace vitrine {

/// Choice of pictures or a task of texts, above all other controls of the room.
void subject_choice(const Frame& frame);

/// Choice of experiments or custom runs.
void text_choices(const Frame& frame);
/// The text to look at, the pace, actions for runs, and what to watch.
void text_notes(const Frame& frame);

}  // namespace vitrine
