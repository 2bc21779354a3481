#pragma once

#include <array>
#include <iterator>
#include <vector>

#include "app/workspace/learning_run.h"
#include "core/training/pictures/pictures.h"

namespace vitrine {

using LearningExamples = std::array<std::vector<ExamplePicture>, std::size(scenes_names)>;  // of each set

/// The pictures that runs are looked at with while they learn, drawn anew.
LearningExamples learning_examples();

inline const std::vector<ExamplePicture>& examples_of(const LearningExamples& all, Scenes scenes) {
    return all[static_cast<std::size_t>(scenes)];
}

}  // namespace vitrine
