#pragma once

#include <vector>

#include "app/rooms/learning/learning_state.h"
#include "app/ui/geometry.h"
#include "app/ui/ui.h"
#include "app/ui/widgets/canvas.h"
#include "app/workspace/learning_run.h"

// The learning room's study: Vision Transformer versus convolutional net, by the number of distinct pictures.

namespace vitrine {

/// Plots accuracy on fresh pictures against the number of distinct pictures: as recorded, with the current runs on top.
void study_view(const Ui& ui, Canvas& canvas, Rect area, const RunViews<Pictures>& runs);

/// Description of the comparison, and the button back to custom runs.
void study_choices(const Ui& ui, LearningState& state);
/// Writes the result of the study in words.
void study_notes(const Ui& ui);

}  // namespace vitrine
