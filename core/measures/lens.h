#pragma once

#include <vector>

#include "core/base/progress.h"
#include "core/vit/model.h"
#include "core/vit/trace.h"

namespace vitrine {

/// The logit lens (Vilas et al. 2023 for image patches): the final norm and the classifier applied after each block as
/// if it were the last, W_head · LN(z_ℓ) + b, ℓ = 0 … L, to the token that the classification head reads.
///      ->  (L + 1, classes)
Tensor2 logit_lens(const Model& model, const Trace& trace);

/// The lens for every token, as if the classification head read it; only the chosen class and the best one are kept, to
/// save memory.
struct TokenLens {
    Tensor2 logit;                       // (L + 1, N)  of the chosen class
    Tensor2 probability;                 // (L + 1, N)  of the chosen class
    Tensor2 best_probability;            // (L + 1, N)  of the token's best class
    std::vector<std::vector<int>> best;  // [ℓ][token]  the best class
};
TokenLens token_lens(const Model& model, const Trace& trace, int chosen, const Progress& progress = {});

/// The chosen class's rank among all classes by logit at every level, 1 for the best; ties share the better rank.
/// lens (L + 1, classes)  ->  (L + 1)
std::vector<int> rank_through_depth(const Tensor2& lens, int chosen);

}  // namespace vitrine
