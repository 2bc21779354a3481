#pragma once

#include <memory>
#include <span>

#include "core/base/progress.h"
#include "core/transformer/intervention.h"
#include "core/vit/model.h"
#include "core/vit/trace.h"

namespace vitrine {

/// The whole pass: embedding, L encoder blocks, head. image (B·C, H, W), as many images as fit.
Trace forward(const Model& model, Tensor3 image, const Progress& progress = {},
              std::span<const Intervention> interventions = {});

/// The same image with interventions: shares every stage of the baseline before the first one and computes the rest.
Trace what_if(const Model& model, const Trace& baseline, std::span<const Intervention> interventions,
              const Progress& progress = {});

/// What the head would read after every block of a pass of one image, of which nothing else is kept.
///   ->  (L + 1, D), row ℓ after block ℓ
Tensor2 course_of_readout(const Model& model, Tensor3 image, const Progress& progress = {},
                          std::span<const Intervention> interventions = {});

}  // namespace vitrine
