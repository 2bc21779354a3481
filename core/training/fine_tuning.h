#pragma once

#include "core/training/recipe.h"
#include "core/vit/flat_weights.h"

namespace vitrine {

/// Positions E_pos learned on one grid, for another: each feature is a picture of its grid and is resampled bicubically
/// (as PyTorch's `interpolate` does: A = −0.75, edges repeated), tokens without a place keep theirs. "Fine-tuning and
/// higher resolution", Dosovitskiy et al. 2021, §3.2.      (N, D)  ->  (N', D)
Tensor2 positions_for(const Config& to, const Config& from, const Parameter& positions);

/// A recipe's model that begins with what another has learned: its weights, positions for the recipe's grid, a row of
/// the classifier for each class of the same name and zeros for the others. Throws Error where sizes do not fit, or it
/// saw its pictures otherwise (mean and deviation).
FlatWeights begun_from(const Model& learned, const Recipe& recipe);

}  // namespace vitrine
