#pragma once

#include "core/tensor/tensor.h"
#include "core/training/recipe.h"
#include "core/vit/flat_weights.h"

namespace vitrine {

/// Position embeddings E_pos for another grid: each feature is resampled bicubically as a picture on its grid (like
/// PyTorch's `interpolate`: A = −0.75, edges repeated); tokens without a place keep theirs. "Fine-tuning and higher
/// resolution", Dosovitskiy et al. 2021, §3.2.      (N, D)  ->  (N', D)
Tensor2 positions_for(const Config& to, const Config& from, const Parameter& positions);

/// A recipe's model initialised from a trained one: its weights, positions resampled for the recipe's grid, the
/// classifier's rows for classes of the same name, zeros for the others. Throws Error if sizes do not fit, or if the
/// trained model's preprocessing (mean and deviation) differs.
FlatWeights begun_from(const Model& learned, const Recipe& recipe);

}  // namespace vitrine
