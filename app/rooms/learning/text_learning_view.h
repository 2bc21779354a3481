#pragma once

#include <optional>
#include <vector>

#include "app/rooms/learning/text_learning_state.h"
#include "app/ui/geometry.h"
#include "app/ui/ui.h"
#include "app/ui/widgets/canvas.h"
#include "app/workspace/text_learning_run.h"

// The learning room's stage while text Transformers learn.

namespace vitrine {

/// What it reads; `scrub` as in LearningState.
struct TextLearningScene {
    const Ui& ui;
    Canvas& canvas;
    Rect area;
    const RunViews<Texts>& runs;
    std::optional<float> scrub;
    TextLearningState& state;  // a click on a text chooses it
};

/// Loss and accuracy; of each run what it makes of one text, where it looks for each word, and what it makes of the
/// other texts.
void text_learning_view(const TextLearningScene& scene);

/// "A · post-norm · Muon", what sets a run apart.
std::string run_name(const Ui& ui, const TextRecipe& recipe, int run);

}  // namespace vitrine
