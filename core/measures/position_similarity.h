#pragma once

#include "core/tensor/tensor.h"

namespace vitrine {

struct Config;
struct Model;

/// Whether patches have positions of their own that can be compared.
bool has_position_similarity(const Config& config);

/// Cosine similarity of the patches' position embeddings, without those of other tokens, which have no place on the
/// grid; in a model with rotary positions alone, of vectors turned for the patches' places. Empty without either.
///                                                                                                     ->  (N_p, N_p)
Tensor2 position_similarity(const Model& model);

}  // namespace vitrine
