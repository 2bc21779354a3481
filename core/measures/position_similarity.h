#pragma once

#include "core/tensor/tensor.h"

namespace vitrine {

struct Config;
struct Model;

/// Whether patches have positions of their own that can be compared.
bool has_position_similarity(const Config& config);

/// Cosine similarity of the patches' position embeddings, without those of other tokens, which have no place on the
/// grid; of rotary positions without them that of vectors turned for these places. Empty if the model has neither.
///                                                                                                     ->  (N_p, N_p)
Tensor2 position_similarity(const Model& model);

}  // namespace vitrine
