#pragma once

#include <vector>

#include "app/rooms/learning/learning_state.h"
#include "app/ui/geometry.h"
#include "app/ui/ui.h"
#include "app/ui/widgets/canvas.h"
#include "app/workspace/learning_run.h"

// The learning room's study: Vision Transformer versus convolutional net, on few and on many pictures.

namespace vitrine {

/// Accuracy on fresh pictures against the number of distinct pictures: as recorded, and the current runs drawn over it.
void study_view(const Ui& ui, Canvas& canvas, Rect area, const RunViews<Pictures>& runs);

/// Description of the comparison, and the button back to custom runs.
void study_choices(const Ui& ui, LearningState& state);
/// The result in words.
void study_notes(const Ui& ui);

}  // namespace vitrine
