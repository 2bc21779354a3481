#pragma once

#include "core/tensor/tensor.h"

namespace vitrine {

struct Config;
struct Model;

/// Whether a model has position embeddings or rotary positions, so that patches can be compared by position.
bool has_position_similarity(const Config& config);

/// Cosine similarity of the patches' position embeddings (other tokens have no place on the grid); with rotary
/// positions alone, of one vector rotated for each patch's place. Empty without either.      ->  (N_p, N_p)
Tensor2 position_similarity(const Model& model);

}  // namespace vitrine
