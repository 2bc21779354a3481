#pragma once

#include "app/rooms/learning/learning_view.h"
#include "app/rooms/room.h"

namespace vitrine {

/// Choices of size, wiring and optimiser, for one run or two.
void learning_choices(const Frame& frame);
/// Choice of attention, actions for runs, and what to watch.
void learning_notes(const Frame& frame, const LearningScene& scene);
/// Start, pause, step, reset, and the track of kept moments.
void learning_transport(const Frame& frame);

}  // namespace vitrine
