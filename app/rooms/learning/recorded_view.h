#pragma once

#include <vector>

#include "app/rooms/learning/learning_view.h"
#include "core/training/runs/run_record.h"

// The learning room's recorded runs: what plays where there is no time to learn.

namespace vitrine {

/// Both runs as they stood at a share 0 … 1 of the recording.
RunViews<Pictures> recorded_until(const RecordedPair& pair, float played);

/// Their curves as far as they are played, and what came out; `runs` of the scene are what `recorded_until` gave.
void recorded_view(const LearningScene& scene, const RecordedPair& pair, const LearningState& state);

}  // namespace vitrine
