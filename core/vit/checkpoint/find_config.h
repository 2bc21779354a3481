#pragma once

#include <optional>

#include "core/vit/checkpoint/configuration.h"
#include "core/vit/checkpoint/tensor_places.h"
#include "core/vit/checkpoint/tensor_reader.h"
#include "core/vit/model.h"

namespace vitrine {

/// What is claimed of a model besides its tensors.
struct Claims {
    const Configuration& said;
    std::optional<int> heads;  // by the user: goes before anything that the files say
};

/// Every number of the model's configuration, from the shapes and checked against what the configuration says; what is
/// inferred is noted. Throws Error where files and tensors disagree, or the model is no plain Vision Transformer.
void find_config(const TensorReader& reader, const TensorPlaces& places, const Claims& claims, Model& model);

}  // namespace vitrine
