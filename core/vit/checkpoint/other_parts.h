#pragma once

#include <string>

#include "core/vit/checkpoint/tensor_reader.h"
#include "core/vit/model.h"

namespace vitrine {

/// Throws Error, naming the family, if a file's model is not a Vision Transformer, or has a part that Vitrine lacks. A
/// family that no tensor shows is recognised by timm's name of the architecture or Hugging Face's model_type; "" if the
/// files have none.
void refuse_other_families(const TensorReader& reader, const std::string& architecture, const std::string& model_type);

/// Sets aside the parts of a file outside the encoder of images (a text tower, a decoder, heads for training), and
/// notes the number of tensors in each.
void set_other_parts_aside(TensorReader& reader, Provenance& provenance);

}  // namespace vitrine
