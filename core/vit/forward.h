#pragma once

#include <memory>
#include <span>

#include "core/base/progress.h"
#include "core/transformer/encoder_block.h"
#include "core/vit/embedding.h"
#include "core/vit/head.h"

namespace vitrine {

/// The whole pass: embedding, L encoder blocks, head. image (B·C, H, W), as many images as fit.
Trace forward(const Model& model, Tensor3 image, const Progress& progress = {},
              std::span<const Intervention> interventions = {});

/// The same image with interventions: shares every stage of the baseline before the first one and computes the rest.
Trace what_if(const Model& model, const Trace& baseline, std::span<const Intervention> interventions,
              const Progress& progress = {});

}  // namespace vitrine
