#pragma once

#include <vector>

#include "core/text/text_model.h"
#include "core/text/text_trace.h"

namespace vitrine {

/// The logit lens (nostalgebraist 2020) of the stack that speaks, the decoder or a classifier's encoder: what would be
/// said after each block if it were the last, softmax(W z_ℓ + b) with the model's own generator, behind its own final
/// norm where it has one (pre-norm). With post-norm z_ℓ comes from a block's norm, z₀ from none.
///
///   ->  ℓ = 0 … L, each (T, V), or (1, classes): what [CLS] would say
std::vector<Tensor2> text_lens(const TextModel& model, const TextTrace& trace);

}  // namespace vitrine
