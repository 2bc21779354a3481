#pragma once

#include <string>

#include "core/vit/checkpoint/tensor_reader.h"
#include "core/vit/model.h"

namespace vitrine {

/// Throws Error, naming the family, for a file that holds another kind of model than a Vision Transformer, or one with
/// a part that Vitrine does not have. If no tensor shows it, the name does: timm's name of the architecture, or Hugging
/// Face's model_type; "" if the files have none.
void refuse_other_families(const TensorReader& reader, const std::string& architecture, const std::string& model_type);

/// Sets aside parts of a file beside the encoder of images (a text tower, a decoder, heads of training), and notes the
/// number of tensors in each.
void set_other_parts_aside(TensorReader& reader, Provenance& provenance);

}  // namespace vitrine
