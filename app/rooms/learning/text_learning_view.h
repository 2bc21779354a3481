#pragma once

#include <optional>
#include <vector>

#include "app/rooms/learning/text_learning_state.h"
#include "app/ui/geometry.h"
#include "app/ui/ui.h"
#include "app/ui/widgets/canvas.h"
#include "app/workspace/text_learning_run.h"

// The learning room's stage for text Transformers.

namespace vitrine {

/// Inputs of the view; `scrub` as in LearningState.
struct TextLearningScene {
    const Ui& ui;
    Canvas& canvas;
    Rect area;
    const RunViews<Texts>& runs;
    std::optional<float> scrub;
    TextLearningState& state;  // a click chooses a text
};

/// Draws loss and accuracy; for each run its output for the chosen text with the attention for each word, and its
/// outputs for other texts.
void text_learning_view(const TextLearningScene& scene);

/// "A · post-norm · Muon": a run's distinguishing settings.
std::string run_name(const Ui& ui, const TextRecipe& recipe, int run);

}  // namespace vitrine
