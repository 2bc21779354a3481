#pragma once

#include <vector>

#include "core/studies/normalisation.h"
#include "core/transformer/config.h"

namespace vitrine {

struct Result;
class Selection;

/// A token's input to the layer norm of the chosen block and half: z, or in a post-norm model the sum. (D)
std::vector<float> norm_input(const Result& now, const Selection& selection, int token);

/// Where the run normalises in a block: before a sublayer, after its sum, or nowhere.
Norm norm_here(const Result& now, int block);

/// The weights of that norm.
const LayerNormWeights& norm_weights(const Result& now, const Selection& selection);

/// Two versions of that norm before γ and β, for the chosen token. (D) each
struct NormVariants {
    std::vector<float> biased, unbiased, difference;  // PyTorch's, The Annotated Transformer's, the first − the second
};
NormVariants variants_of_norm(const Result& now, const Selection& selection);

/// Its stages for the chosen token.
NormStages stages_of_norm(const Result& now, const Selection& selection);

}  // namespace vitrine
