#pragma once

#include <utility>
#include <vector>

#include "app/jobs/learning.h"
#include "app/jobs/learning_examples.h"

namespace vitrine {

/// The models that learn, as of this frame.
struct LearningRuns {
    RunViews<Pictures> runs;
    bool running = false;
    const std::vector<ExamplePicture>* examples = nullptr;
    RunViews<Texts> texts = {};  // instead of `runs`, where text Transformers learn
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
