#pragma once

#include <vector>

#include "core/base/progress.h"
#include "core/transformer/intervention.h"

namespace vitrine {

enum class Colours;
struct Model;

/// Fills in the mean patch of each set of images that the what-ifs name (`image_set`). Means not yet in `known` are
/// computed, with one embedding per image, and added. Throws Error if a folder or one of its images cannot be read.
void fill_in_means(std::vector<Intervention>& what_ifs, const Model& model, Colours colours, MeanPatches& known,
                   const Progress& progress = {});

}  // namespace vitrine
