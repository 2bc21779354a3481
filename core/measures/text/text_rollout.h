#pragma once

#include <vector>

#include "core/text/text_trace.h"

namespace vitrine {

/// Attention rollout (Abnar & Zuidema 2020) through a text Transformer, after each block of a stack. Every layer of
/// attention, the mean of its heads, counts half, the residual connection around it the other half:
///
///   encoder  E_ℓ = ½ (I + Ā) E_{ℓ−1}
///   decoder  [U V] ← ½ (I + Ā_self) [U V],  then  U ← ½ U,  V ← ½ (V + Ā_cross E_L)
///
/// from E = I, U = I, V = 0. The second line carries theirs on to the words of a source: row t of [U V] is what row t
/// of the decoder has of each word that it read and of each word of the source. Rows of E and of [U V] sum to 1; behind
/// a mask U is 0. Of attention alone: what heads add, a head that is switched off, norms and MLPs do not count.
struct TextRollout {
    std::vector<Tensor2> encoder;  // by block, (S, S)
    std::vector<Tensor2> own;      // by block of the decoder, U (T, T)
    std::vector<Tensor2> source;   // by block of the decoder, V (T, S); empty without an encoder
};
/// Of a run of one text.
TextRollout text_rollout(const TextTrace& trace);

}  // namespace vitrine
