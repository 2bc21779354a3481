#pragma once

#include "app/rooms/room.h"

namespace vitrine {

/// Which experiment? A list, and what the chosen one shows, with what was measured.
void experiment_choices(const Frame& frame);
/// The same of text Transformers of the chosen task.
void text_experiment_choices(const Frame& frame);

/// Whether the recording of the chosen experiment is what is offered first: of a deep one that has not begun.
bool offers_recording_first(const Frame& frame);

/// The way from an experiment to the runs of one's own that it stands in the place of; nothing where there are none.
void way_back_to_own(const Frame& frame);

}  // namespace vitrine
