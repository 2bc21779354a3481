#pragma once

#include <string>

#include "app/rooms/learning/learning_scene.h"
#include "app/rooms/learning/learning_state.h"

namespace vitrine {

/// The distribution of log₁₀|gradient|, a ridge for each block, with the last block at the top like on the map.
void gradient_ridges(const LearningScene& scene, Rect rect, int number, const LearningState& state);

/// The range of a run's ratios of gradients, first block to last, over its moments; empty without two.
std::string range_of_ridges(const LearningScene& scene, std::size_t run);

}  // namespace vitrine
