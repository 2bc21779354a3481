#pragma once

#include "core/transformer/editor.h"
#include "core/vit/flat_weights.h"
#include "core/vit/model.h"
#include "core/vit/trace.h"

namespace vitrine {

/// Cuts images (B·C, H, W) into rows (B·N_p, C·P·P), each a patch flattened in the order (c, y, x), in reading order.
Tensor2 patches_as_rows(const Tensor3& image, int channels, int patch_size);

/// Eq. 1 of the ViT paper: z₀ = [x_class; x_p¹E + b; …] + E_pos. Other learned tokens follow x_class; nothing is added
/// to tokens without a position. A model with a norm before the blocks (CLIP) applies it to the sum. image (B·C, H, W)
/// -> z₀ (B·N, D)
EmbeddingTrace embed(const Model& model, Tensor3 image, const Editor& edit = {});

/// Backward pass from ∂z₀ in `g.z`: overwrites the parameters' gradients, and writes those of activations to `g`.
void embed_back(const Model& model, const EmbeddingTrace& t, const Editor& edit, FlatWeights& gradients,
                EmbeddingTrace& g);

}  // namespace vitrine
