#pragma once

#include <vector>

#include "core/base/progress.h"
#include "core/transformer/intervention.h"

namespace vitrine {

enum class Colours;
struct Model;

/// Puts into what-ifs the mean patch of each set that they name. Those that are not yet known are computed, an
/// embedding for each image (`image_set`), and kept. Throws Error where a folder or one of its images cannot be read.
void fill_in_means(std::vector<Intervention>& what_ifs, const Model& model, Colours colours, MeanPatches& known,
                   const Progress& progress = {});

}  // namespace vitrine
