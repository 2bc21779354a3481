#pragma once

#include <vector>

#include "core/text/text_trace.h"

namespace vitrine {

/// Attention rollout (Abnar & Zuidema 2020) through a text Transformer, after each block of a stack. In each layer the
/// mean of its heads counts half, the residual connection the other half:
///   encoder  E_ℓ = ½ (I + Ā) E_{ℓ−1}
///   decoder  [U V] ← ½ (I + Ā_self) [U V],  then  U ← ½ U,  V ← ½ (V + Ā_cross E_L)
/// from E = I, U = I, V = 0. Row t of [U V] is the share of each word the decoder has read, and of each source word, in
/// row t of the decoder. Rows of E and of [U V] sum to 1; U is 0 where the mask hides a word. Only attention weights
/// count: values, removed heads, norms and MLPs are ignored.
struct TextRollout {
    std::vector<Tensor2> encoder;  // by block, (S, S)
    std::vector<Tensor2> own;      // by block of the decoder, U (T, T)
    std::vector<Tensor2> source;   // by block of the decoder, V (T, S); empty without an encoder
};
/// For a run of one text.
TextRollout text_rollout(const TextTrace& trace);

}  // namespace vitrine
