#pragma once

#include <optional>
#include <vector>

#include "app/rooms/learning/curve_names.h"
#include "app/rooms/learning/learning_state.h"
#include "app/rooms/learning/run_names.h"
#include "app/ui/geometry.h"
#include "app/ui/ui.h"
#include "app/ui/widgets/canvas.h"
#include "app/ui/widgets/colour_map.h"
#include "app/workspace/learning_run.h"
#include "core/training/runs/run_record.h"

namespace vitrine {

/// Inputs of the learning view: the runs, and their example pictures.
struct LearningScene {
    const Ui& ui;
    Canvas& canvas;
    Rect area;
    const RunViews<Pictures>& runs;
    const std::vector<ExamplePicture>& examples;
    const RecordedPair* recorded = nullptr;  // `runs` are its runs as far as they have been played; null: live ones
};

/// Models in training: loss and accuracy; for each run the class token's attention on the same pictures, the
/// distribution of gradients through depth, and the positions becoming a grid.
void learning_view(const LearningScene& scene, const LearningState& state);

/// Loss and accuracy of all runs, side by side; the axis of pictures extends at least to `reach`.
void learning_curves(const LearningScene& scene, Rect rect, const LearningState& state, double reach);

/// The class token's attention on an example: (N_p), of one head or the mean. Empty if the moment has none for it.
std::vector<float> example_attention(const Config& model, const PictureSight& sight, int example,
                                     const LearningState& state);

/// The scale of a run's attention maps of all steps: 0 to four times the weight that each of its patches has where all
/// have the same.
ColourScale learning_scale(const RunView<Pictures>& run);

/// A run's stage in words: "learning", "paused".
const std::string& words_of_stage(const Ui& ui, RunStage stage);

}  // namespace vitrine
