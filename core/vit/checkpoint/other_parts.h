#pragma once

#include "core/vit/checkpoint/tensor_reader.h"
#include "core/vit/model.h"

namespace vitrine {

/// Throws Error, naming the family, for a file that holds another kind of model than a Vision Transformer.
void refuse_other_families(const TensorReader& reader);

/// Sets aside what a file holds beside the encoder of images (a text tower, a decoder, heads of training), and notes
/// how many tensors each has.
void set_other_parts_aside(TensorReader& reader, Provenance& provenance);

}  // namespace vitrine
