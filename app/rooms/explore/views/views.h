#pragma once

#include <string>
#include <vector>

#include "app/rooms/figures/scene.h"

namespace vitrine {

// Views: free functions that draw one picture, let the user point at it, and change nothing but what is looked at and
// which parts are switched off.

/// The image as it was opened, the crop that the model takes of it, and the normalised pixels that the model sees.
void image_view(const Scene& scene, Selection& selection, WhatIfs& what_ifs);

/// The image cut into patches; `time` pulls them apart.
void patches_view(const Scene& scene, Selection& selection, WhatIfs& what_ifs);

/// One patch, times one filter, gives one number; that filter on every patch; all D numbers of the patch.
void patch_embedding_view(const Scene& scene, Selection& selection, WhatIfs& what_ifs);

/// How alike the position embeddings are: a small map for every position, one of them large.
void position_view(const Scene& scene, Selection& selection, WhatIfs& what_ifs);

/// Where the chosen token looks: one small map of the image per head, or one head alone.
void attention_view(const Scene& scene, Selection& selection, WhatIfs& what_ifs);

/// The class token's way to the prediction, and how it changes with what is switched off.
void prediction_view(const Scene& scene, Selection& selection, WhatIfs& what_ifs);

/// The one learned vector that stands before the patches, and what becomes of it.
void class_token_view(const Scene& scene, Selection& selection, WhatIfs& what_ifs);

/// The chosen token's features before, centred, scaled, after γ and β; over all tokens, μ and σ.
void layer_norm_view(const Scene& scene, Selection& selection, WhatIfs& what_ifs);

/// The variants of a layer norm with their largest difference, and layer against batch normalisation.
void norm_variants_view(const Scene& scene, Selection& selection, WhatIfs& what_ifs);

/// Two Transformers that are easy to confuse, and where each normalises: before its sublayers or after the sums.
void norm_place_view(const Scene& scene, Selection& selection, WhatIfs& what_ifs);

/// How W_Q, W_K, W_V are cut into heads and make a token's query, key and value.
void qkv_view(const Scene& scene, Selection& selection, WhatIfs& what_ifs);

/// The query of one token times the key of another, ÷ √d, and its place in the softmax row.
void scores_view(const Scene& scene, Selection& selection, WhatIfs& what_ifs);

/// A head's N × N matrix, rows queries, columns keys, tied to the image both ways.
void attention_matrix_view(const Scene& scene, Selection& selection, WhatIfs& what_ifs);

/// The heads side by side, concatenated, and what each adds to the chosen token through W_O.
void heads_view(const Scene& scene, Selection& selection, WhatIfs& what_ifs);

/// z, what a branch adds, and their sum as maps of the image.
void residual_view(const Scene& scene, Selection& selection, WhatIfs& what_ifs);

/// The hidden units of the chosen token before and after the activation.
void mlp_view(const Scene& scene, Selection& selection, WhatIfs& what_ifs);

/// GELU, ReLU and ELU over this image's own pre-activations.
void activation_view(const Scene& scene, Selection& selection, WhatIfs& what_ifs);

/// Masks of a p and seed, and the scaling of what is left.
void dropout_view(const Scene& scene, Selection& selection, WhatIfs& what_ifs);
/// So many masks are averaged to show that their mean comes back to x.
inline constexpr int masks_averaged = 64;

/// One token, or the whole image, through ℓ = 0 … L.
void depth_view(const Scene& scene, Selection& selection, WhatIfs& what_ifs);

/// Cross-entropy for a chosen true class.
void loss_view(const Scene& scene, Selection& selection, WhatIfs& what_ifs);

/// How gradients fade through depth, with and without norms and skips, as a deep encoder begins to learn.
void gradients_view(const Scene& scene, Selection& selection, WhatIfs& what_ifs);

/// What an attention map is and is not.
void explanation_view(const Scene& scene, Selection& selection, WhatIfs& what_ifs);

/// Parameters, multiply-adds and memory of a Vision Transformer of any shape.
void models_view(const Scene& scene, Selection& selection, WhatIfs& what_ifs);

// What a view shares with another, or with its step.

/// A count of the chapter Models: all digits, or a power of ten beyond what a double holds exactly.
std::string whole_count(double count);

/// Input of the chosen block's chosen layer norm, for a token: z, or with post-norm the sum.      ->  (D)
std::vector<float> norm_input(const Scene& scene, const Selection& selection, int token);

}  // namespace vitrine
