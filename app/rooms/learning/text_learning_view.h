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
    const std::vector<TextRunView>& runs;
    std::optional<float> scrub;
    TextLearningState& state;  // a click on a text chooses it
};

/// Loss and accuracy; of each run what it makes of one text, where it looks for each word, and what it makes of the
/// other texts.
void text_learning_view(const TextLearningScene& scene);

/// The moment of a run that is shown: the newest, or the one that was scrubbed to. None before the first.
std::shared_ptr<const TextMoment> shown_moment(const TextRunView& run, std::optional<float> scrub);

/// Whether there are runs, and each has a moment to show.
bool are_shown(const std::vector<TextRunView>& runs);

/// "A · post-norm · Muon", what sets a run apart.
std::string run_name(const Ui& ui, const TextRecipe& recipe, int run);


}  // namespace vitrine
