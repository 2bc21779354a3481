#pragma once

#include "app/rooms/room.h"

namespace vitrine {

/// Pictures, or texts of which task? A choice over all others of the room.
void subject_choice(const Frame& frame);

/// What learns: experiments, or choices of one's own.
void text_choices(const Frame& frame);
/// Which text is looked at, how fast it goes, what can be done with a run, what to watch.
void text_notes(const Frame& frame);

}  // namespace vitrine
