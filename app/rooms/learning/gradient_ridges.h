#pragma once

#include <string>

#include "app/rooms/learning/learning_scene.h"
#include "app/rooms/learning/learning_state.h"

namespace vitrine {

/// The distribution of log₁₀|gradient|, a ridge for each block, with the last block at the top as on the map.
void gradient_ridges(const LearningScene& scene, Rect rect, int number, const LearningState& state);

/// The range, over a run's moments, of the gradient norms' ratio, first block to last; empty for fewer than two
/// moments.
std::string range_of_ridges(const LearningScene& scene, std::size_t run);

}  // namespace vitrine
