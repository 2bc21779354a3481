#pragma once

#include "app/rooms/learning/learning_view.h"
#include "app/rooms/room.h"

namespace vitrine {

/// What learns? Size, wiring, optimiser; for one run or two.
void learning_choices(const Frame& frame);
/// Which attention, what can be done with a run, what to watch.
void learning_notes(const Frame& frame, const LearningScene& scene);
/// Start, pause, step, reset; back through the kept moments.
void learning_transport(const Frame& frame);

}  // namespace vitrine
