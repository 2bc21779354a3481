#pragma once

#include <utility>
#include <vector>

#include "app/jobs/learning.h"
#include "app/jobs/text_learning.h"

namespace vitrine {

/// The models that learn, as of this frame.
struct LearningRuns {
    std::vector<RunView> runs;
    bool running = false;
    const std::vector<ExamplePicture>* examples = nullptr;
    std::vector<TextRunView> texts = {};  // instead of `runs`, where text Transformers learn
};

inline LearningRuns runs_of(const Learning& learning) {
    std::vector<RunView> runs = learning.latest();
    const Scenes scenes = runs.empty() ? Scenes::pictograms : runs.front().recipe.pictures.scenes;
    return {std::move(runs), learning.running(), &learning.example_pictures(scenes)};
}
inline LearningRuns runs_of(const TextLearning& learning) {
    static const std::vector<ExamplePicture> no_pictures;
    return {{}, learning.running(), &no_pictures, learning.latest()};
}

}  // namespace vitrine
