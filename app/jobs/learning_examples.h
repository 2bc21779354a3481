#pragma once

#include <vector>

#include "app/workspace/learning_run.h"
#include "core/training/pictures/picture_set.h"

namespace vitrine {

/// The example pictures for runs on these scenes, drawn on first use.
const std::vector<ExamplePicture>& example_pictures(Scenes scenes);

}  // namespace vitrine
