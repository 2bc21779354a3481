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

/// The weights of the layer norm of the chosen block and half.
const LayerNormWeights& norm_weights(const Result& now, const Selection& selection);

/// Two versions of the chosen layer norm before γ and β, for the chosen token. (D) each
struct NormVariants {
    std::vector<float> biased, unbiased, difference;  // PyTorch's, The Annotated Transformer's, biased − unbiased
};
NormVariants variants_of_norm(const Result& now, const Selection& selection);

/// The stages of the chosen layer norm for the chosen token.
NormStages stages_of_norm(const Result& now, const Selection& selection);

}  // namespace vitrine
