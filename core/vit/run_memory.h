#pragma once

#include <optional>
#include <span>
#include <string>

#include "core/transformer/intervention.h"
#include "core/vit/model.h"

namespace vitrine {

// Memory checks before a model is read and before it runs, so that too large a task is refused instead of crashing the
// program. Each function throws Error with the need and the free memory.

/// For the weights, as stored and as packed for products.
void require_memory_for_weights(const Model& model);

/// For the trace of one image.
void require_memory_for_run(const Model& model);

/// How many blocks of a run of one image, and of its what-ifs, fit into a budget of bytes beside the weights; at most
/// L. Throws Error if the budget is below the least: two blocks, the embedding and every zℓ.
int blocks_within(const Model& model, double bytes);

/// How many blocks a run and its what-if may keep in the memory that is free now; none if all fit. Throws Error if not
/// even two do.
std::optional<int> blocks_in_free_memory(const Model& model);
/// The same for an amount of free memory, in bytes.
std::optional<int> blocks_in_free_memory(const Model& model, double free);

/// For the blocks that a what-if computes anew: those from its first edit on.
void require_memory_for_what_if(const Model& model, std::span<const Intervention> what_ifs);

/// For `count` matrices (N, N) at once; `what` names the work: "measuring rollout".
void require_memory_for_matrices(const Model& model, int count, const std::string& what);

}  // namespace vitrine
