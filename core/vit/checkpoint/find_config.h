#pragma once

#include <optional>

#include "core/vit/checkpoint/configuration.h"
#include "core/vit/checkpoint/tensor_places.h"
#include "core/vit/checkpoint/tensor_reader.h"
#include "core/vit/model.h"

namespace vitrine {

/// Statements about a model, apart from its tensors.
struct Claims {
    const Configuration& said;
    std::optional<int> heads;  // by the user; overrides the files
};

/// Completes the model's configuration from the tensors' shapes, checked against the configuration files; inferred
/// values are noted. Throws Error if files and tensors disagree, or the model is not a plain Vision Transformer.
void find_config(const TensorReader& reader, const TensorPlaces& places, const Claims& claims, Model& model);

}  // namespace vitrine
