#pragma once

#include <optional>
#include <vector>

#include "app/rooms/learning/curve_names.h"
#include "app/rooms/learning/learning_state.h"
#include "app/rooms/learning/run_names.h"
#include "app/ui/geometry.h"
#include "app/ui/ui.h"
#include "app/ui/widgets/canvas.h"
#include "app/workspace/learning_run.h"

namespace vitrine {

/// What the learning view reads: the runs as they stand, and the pictures that they are looked at with.
struct LearningScene {
    const Ui& ui;
    Canvas& canvas;
    Rect area;
    const RunViews<Pictures>& runs;
    const std::vector<ExamplePicture>& examples;
};

/// Models while they learn: loss and accuracy; for each run the class token's attention on the same pictures, the
/// spread of its gradients through depth, its positions becoming a grid.
void learning_view(const LearningScene& scene, const LearningState& state);

/// The loss and the accuracy of all runs, beside one another; the axis of pictures reaches at least so far.
void learning_curves(const LearningScene& scene, Rect rect, const LearningState& state, double reach);

/// Where the class token of an example looks: (N_p), one head's or the mean.
std::vector<float> example_attention(const RunMoment<Pictures>& moment, int example, const LearningState& state);

/// The scale that all attention maps of the view share: from 0 to the largest weight shown.
ColourScale learning_scale(const LearningScene& scene, const LearningState& state);

/// "learning", "paused": how a run stands.
const std::string& words_of_stage(const Ui& ui, RunStage stage);

}  // namespace vitrine
