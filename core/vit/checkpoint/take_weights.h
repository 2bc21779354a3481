#pragma once

#include "core/vit/checkpoint/tensor_places.h"
#include "core/vit/checkpoint/tensor_reader.h"
#include "core/vit/model.h"

namespace vitrine {

/// The weights of a model of this configuration, each tensor once. Throws Error for one that is missing or of another
/// shape.
Weights take_weights(TensorReader& reader, const TensorPlaces& places, const Config& config);

/// Notes what a classifier does not need and throws Error, naming them, for all other tensors that nobody took.
void refuse_leftovers(TensorReader& reader, Model& model);

}  // namespace vitrine
