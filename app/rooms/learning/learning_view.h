#pragma once

#include <string>
#include <vector>

#include "app/rooms/learning/curve_names.h"
#include "app/rooms/learning/learning_scene.h"
#include "app/rooms/learning/learning_state.h"
#include "app/rooms/learning/run_names.h"
#include "app/ui/widgets/colour_map.h"
#include "app/workspace/learning_run.h"

namespace vitrine {

/// Draws models in training: loss and accuracy; for each run the class token's attention on the same pictures, the
/// distribution of gradients through depth, and the similarity of position embeddings, which become a grid.
void learning_view(const LearningScene& scene, const LearningState& state);

/// Loss and accuracy of all runs, side by side; the axis of pictures extends at least to `reach`.
void learning_curves(const LearningScene& scene, Rect rect, const LearningState& state, double reach);

/// The class token's attention on an example, (N_p), for the chosen head or the mean of all heads; empty if the moment
/// does not have it.
std::vector<float> example_attention(const Config& model, const PictureSight& sight, int example,
                                     const LearningState& state);

/// The scale of a run's attention maps at all steps: 0 to four times the uniform weight 1/N_p.
ColourScale learning_scale(const RunView<Pictures>& run);

/// A run's stage in words: "learning", "paused".
const std::string& words_of_stage(const Ui& ui, RunStage stage);

}  // namespace vitrine
