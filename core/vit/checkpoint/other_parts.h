#pragma once

#include <string>

#include "core/vit/checkpoint/tensor_reader.h"
#include "core/vit/model.h"

namespace vitrine {

/// Throws Error, naming the family, for a file that holds another kind of model than a Vision Transformer, or one with
/// a part that Vitrine does not have. Where no tensor shows it, the name tells: timm's of the architecture, or Hugging
/// Face's model_type, "" if the files do not say it.
void refuse_other_families(const TensorReader& reader, const std::string& architecture, const std::string& model_type);

/// Sets aside what a file holds beside the encoder of images (a text tower, a decoder, heads of training), and notes
/// how many tensors each has.
void set_other_parts_aside(TensorReader& reader, Provenance& provenance);

}  // namespace vitrine
