#pragma once

#include <memory>
#include <span>

#include "core/base/progress.h"
#include "core/transformer/intervention.h"
#include "core/vit/model.h"
#include "core/vit/trace.h"

namespace vitrine {

/// Eq. 1 of the ViT paper: z₀ = [x_class; x_p¹E + b; …] + E_pos.      image (B·C, H, W)  ->  z₀ (B·N, D)
EmbeddingTrace embed(const Model& model, Tensor3 image, const Editor& edit = {});

/// One encoder block:  z' = MSA(LN(z)) + z,  then  MLP(LN(z')) + z'.   ViT paper, Eqs. 2 and 3. Post-norm, as in the
/// original Transformer:  z' = LN(MSA(z) + z),  then  LN(MLP(z') + z').
///
///   z (B·N, D)  ->  every activation of block ℓ; its `z` (B·N, D) feeds the next one.
///
/// Each activation passes through `edit`, so a line is both the equation and the place where a what-if acts.
BlockTrace encoder_block(const Model& model, int block, const Tensor2& z, Batch batch, const Editor& edit = {});

/// Eq. 4 and the classifier: what is read of each image -> LN -> logits -> softmax.      z_L (B·N, D)
HeadTrace classify(const Model& model, const Tensor2& z);

/// The whole pass. image (B·C, H, W), as many images as fit.
Trace forward(const Model& model, Tensor3 image, const Progress& progress = {},
              std::span<const Intervention> interventions = {});

/// The same image with interventions: shares every stage of the baseline before the first one and computes the rest.
Trace what_if(const Model& model, const Trace& baseline, std::span<const Intervention> interventions,
              const Progress& progress = {});

}  // namespace vitrine
