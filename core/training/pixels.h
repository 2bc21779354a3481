#pragma once

#include <cstdint>
#include <vector>

#include "core/tensor/tensor.h"
#include "core/vit/model.h"

namespace vitrine {

/// Preprocesses 8-bit pixels of several images for the model.      (B, H, W, 3) bytes  ->  (B·C, H, W)
Tensor3 normalised(const std::vector<const std::uint8_t*>& images, const PixelShape& shape, const Preprocessing& how);
Tensor3 normalised(const std::vector<const std::uint8_t*>& images, const Model& model);

}  // namespace vitrine
