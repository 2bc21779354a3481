#pragma once

#include "app/rooms/learning/learning_view.h"
#include "app/rooms/room.h"

namespace vitrine {

/// Choices of size, wiring and optimiser, for one run or two.
void learning_choices(const Frame& frame);
/// Words on what to watch, the choice of attention, and the actions for runs.
void learning_notes(const Frame& frame, const LearningScene& scene);
/// The transport controls: start, pause, step, reset, and the track of kept moments.
void learning_transport(const Frame& frame);

}  // namespace vitrine
