#pragma once

#include <vector>

#include "app/workspace/learning_run.h"
#include "core/training/pictures/pictures.h"

namespace vitrine {

/// The pictures that runs of such scenes are looked at with while they learn; drawn when they are first asked for.
const std::vector<ExamplePicture>& example_pictures(Scenes scenes);

}  // namespace vitrine
