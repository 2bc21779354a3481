#pragma once

#include <string_view>

#include "app/rooms/room.h"

namespace vitrine {

/// The list of experiments, and of the chosen one its setup and duration; its description is in the notes.
void experiment_choices(const Frame& frame);
/// The same for text Transformers of the chosen task.
void text_experiment_choices(const Frame& frame);

/// Id of the chosen experiment; empty: none, or custom runs.
std::string_view experiment_in_view(const Frame& frame);

/// True if the chosen experiment's recording is offered first: for a deep one that has not begun.
bool offers_recording_first(const Frame& frame);

/// Button from an experiment back to the custom runs it replaced; nothing if there are none.
void way_back_to_own(const Frame& frame);

}  // namespace vitrine
