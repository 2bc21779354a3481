#pragma once

#include "core/vit/checkpoint/tensor_places.h"
#include "core/vit/checkpoint/tensor_reader.h"
#include "core/vit/model.h"

namespace vitrine {

/// The weights of a model with this configuration. Throws Error for a missing tensor or one of another shape.
Weights take_weights(TensorReader& reader, const TensorPlaces& places, const Config& config);

/// Notes leftover tensors that a classifier does not need; throws Error naming all other leftovers.
void refuse_leftovers(TensorReader& reader, Model& model);

}  // namespace vitrine
