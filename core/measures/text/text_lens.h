#pragma once

#include <vector>

#include "core/text/text_model.h"
#include "core/text/text_trace.h"

namespace vitrine {

/// The logit lens (nostalgebraist 2020) of the stack before the generator: the decoder, or a classifier's encoder. It
/// shows the prediction after each block as if it were the last, softmax(W z_ℓ + b), with the model's own generator,
/// after its own final norm if it has one (pre-norm). With post-norm, z₁ … z_L are outputs of block norms.
///   ->  ℓ = 0 … L, each (T, V), or (1, classes) for [CLS]
std::vector<Tensor2> text_lens(const TextModel& model, const TextTrace& trace);

}  // namespace vitrine
