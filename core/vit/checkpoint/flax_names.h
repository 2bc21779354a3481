#pragma once

#include <memory>
#include <optional>

#include "core/files/tensor_file.h"
#include "core/vit/checkpoint/configuration.h"

namespace vitrine {

/// A Flax model's parameters as layers of PyTorch: "/" becomes ".", a "kernel" or "scale" becomes a "weight" with its
/// outputs first, heads are side by side, "encoderblock_3" becomes "encoderblock.3". Scanned layers, which have one
/// array for all blocks, become a tensor for each block. (google-research/vision_transformer: vit_jax/models_vit.py;
/// google-research/big_vision: big_vision/models/vit.py; flax's Dense, Conv and MultiHeadDotProductAttention.)
struct FlaxModel {
    std::shared_ptr<const TensorFile> tensors;
    std::optional<int> heads;  // from the shape of the queries
    bool has_class_token = false;
    bool class_has_position = false;  // the first generation adds positions after the class token, big_vision before
};

/// Reads a file as a Flax Vision Transformer; none if it is not one. Throws Error, naming the file and the array, if
/// the array cannot belong to one.
std::optional<FlaxModel> as_flax_model(const std::shared_ptr<const TensorFile>& file);

/// Adds settings that only the arrays show: heads, the class token and its position.
void complete(Configuration& configuration, const FlaxModel& model);

}  // namespace vitrine
