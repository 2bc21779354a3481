#pragma once

#include <vector>

#include "app/rooms/learning/learning_view.h"
#include "core/training/runs/run_record.h"

// The learning room's recorded runs, for when there is no time to train.

namespace vitrine {

/// Both runs as they were at the played share 0 … 1 of the recording.
RunViews<Pictures> recorded_until(const RecordedPair& pair, float played);

/// Draws recorded runs like live ones, under a line that says when they were recorded. The scene's `runs` must come
/// from `recorded_until`.
void recorded_view(const LearningScene& scene, const LearningState& state);

}  // namespace vitrine
