#pragma once

#include <vector>

#include "app/rooms/learning/learning_state.h"
#include "app/ui/geometry.h"
#include "app/ui/ui.h"
#include "app/ui/widgets/canvas.h"
#include "app/workspace/learning_run.h"

// The learning room's study: Vision Transformer against convolutional net, from few and from many pictures.

namespace vitrine {

/// Accuracy on fresh pictures against the number of distinct pictures: as it was recorded, and over it the runs as they
/// stand.
void study_view(const Ui& ui, Canvas& canvas, Rect area, const RunViews<Pictures>& runs);

/// What is held against what; the way back to runs of one's own.
void study_choices(const Ui& ui, LearningState& state);
/// What came out.
void study_notes(const Ui& ui);

}  // namespace vitrine
