#pragma once

#include <span>

#include "core/tensor/tensor.h"
#include "core/transformer/intervention.h"
#include "core/vit/model.h"

namespace vitrine {

/// The cover for a whole image; each covered patch uses its own part of it. Not for Cover::token.      (B·C, H, W)  ->
/// (B·C, H, W)
Tensor3 cover_of(const Tensor3& image, const Config& config, Cover kind);

/// Copies a patch, 0 … N_p − 1, from one picture into another of the same shape.      (B·C, H, W)
void copy_patch(const Config& config, int patch, const Tensor3& from, Tensor3& to);

/// The picture with these covers, applied one after another.      (B·C, H, W)  ->  (B·C, H, W)
Tensor3 covered(const Tensor3& image, const Config& config, std::span<const CoverPatches> covers);

}  // namespace vitrine
