#pragma once

#include <utility>
#include <vector>

#include "app/jobs/learning.h"
#include "core/training/runs/example_pictures.h"

namespace vitrine {

/// The models in training, as of this frame.
struct LearningRuns {
    RunViews<Pictures> runs;
    bool running = false;
    const std::vector<ExamplePicture>* examples = nullptr;
    RunViews<Texts> texts = {};  // replaces `runs` for text Transformers
};

inline LearningRuns runs_of(const Learning<Pictures>& learning) {
    RunViews<Pictures> runs = learning.latest();
    const Scenes scenes = runs.empty() ? Scenes::pictograms : runs.front().recipe.pictures.scenes;
    return {std::move(runs), learning.running(), &example_pictures(scenes)};
}
inline LearningRuns runs_of(const Learning<Texts>& learning) {
    static const std::vector<ExamplePicture> no_pictures;
    return {{}, learning.running(), &no_pictures, learning.latest()};
}

}  // namespace vitrine
