#pragma once

#include <string_view>

#include "app/rooms/room.h"

namespace vitrine {

/// The list of experiments, and the chosen one's setup and duration; its description is in the notes.
void experiment_choices(const Frame& frame);
/// The same for text Transformers of the chosen task.
void text_experiment_choices(const Frame& frame);

/// Id of the chosen experiment; empty: none, or custom runs.
std::string_view experiment_in_view(const Frame& frame);

/// True if the chosen experiment's recording is offered before live training: if its models are deep, so that training
/// is slow, and it has not begun.
bool offers_recording_first(const Frame& frame);

/// Button from an experiment back to the custom runs that it replaced; draws nothing if there are none.
void way_back_to_own(const Frame& frame);

}  // namespace vitrine
