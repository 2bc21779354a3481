#pragma once

#include <span>
#include <string>

#include "core/transformer/intervention.h"
#include "core/vit/model.h"

namespace vitrine {

// Asked before a model is read and before it runs: what would not fit is refused with a sentence instead of ending the
// program. Each throws Error that states the need and what is free.

/// The weights, as they are stored and packed for products.
void require_memory_for_weights(const Model& model);

/// The trace of one image.
void require_memory_for_run(const Model& model);

/// What a what-if computes beside the run without it: the blocks from its first edit on.
void require_memory_for_what_if(const Model& model, std::span<const Intervention> what_ifs);

/// `count` matrices (N, N) that `what` keeps at once: "measuring rollout".
void require_memory_for_matrices(const Model& model, int count, const std::string& what);

}  // namespace vitrine
