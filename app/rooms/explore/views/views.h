#pragma once

#include <string_view>
#include <vector>

#include "app/rooms/figures/scene.h"

namespace vitrine {

struct Focus;
struct Frame;

// Views: free functions that draw a picture, handle the pointer, and change only the selection and the what-ifs.

using StepView = void(const Scene& scene, Selection& selection, WhatIfs& what_ifs);

/// Draws a control above a step's figure, at the top of an area; returns its height with the gap below.
using StepRow = float(const Frame& frame, Rect area);

/// The functions that draw a step on the stage.
struct StepDrawing {
    StepView* view;
    StepRow* row = nullptr;  // null: none
};
/// The drawing of the step with that id.
StepDrawing drawing_of(std::string_view step);

/// The difference A − B of the step's numbers, A in the scene's run and B in the other one. If their shapes differ, a
/// sentence says so, and quantities of any shape are compared instead. `focus` is A's; `selection` takes clicks.
void difference_view(const Scene& scene, const Focus& focus, Selection& selection);

/// The original image, the model's crop, and the normalised pixels.
void image_view(const Scene& scene, Selection& selection, WhatIfs& what_ifs);

/// The image cut into patches, which the animation pulls apart.
void patches_view(const Scene& scene, Selection& selection, WhatIfs& what_ifs);

/// A patch times a filter gives one number; the filter on every patch; all D numbers of the patch.
void patch_embedding_view(const Scene& scene, Selection& selection, WhatIfs& what_ifs);

/// Similarity of the position embeddings: a small map for every position, and one enlarged.
void position_view(const Scene& scene, Selection& selection, WhatIfs& what_ifs);

/// Attention of the chosen token: one small map of the image per head, or one head enlarged.
void attention_view(const Scene& scene, Selection& selection, WhatIfs& what_ifs);

/// From the class token to the prediction, and the effect of what-ifs on it.
void prediction_view(const Scene& scene, Selection& selection, WhatIfs& what_ifs);

/// The class token's learned vector in the sequence, and how it changes from block to block.
void class_token_view(const Scene& scene, Selection& selection, WhatIfs& what_ifs);

/// The chosen token's features in a layer norm: input, centred, scaled, after γ and β; μ and σ of all tokens.
void layer_norm_view(const Scene& scene, Selection& selection, WhatIfs& what_ifs);

/// The two variants of a layer norm with their largest difference, and layer versus batch normalisation.
void norm_variants_view(const Scene& scene, Selection& selection, WhatIfs& what_ifs);

/// Two Transformers that are easily confused, and the placement of their norms: before sublayers or after sums.
void norm_place_view(const Scene& scene, Selection& selection, WhatIfs& what_ifs);

/// How W_Q, W_K, W_V are split into heads and give a token's query, key and value.
void qkv_view(const Scene& scene, Selection& selection, WhatIfs& what_ifs);

/// One token's query times another's key, ÷ √d, and its place in the softmax row.
void scores_view(const Scene& scene, Selection& selection, WhatIfs& what_ifs);

/// A head's N × N matrix, rows queries, columns keys, linked with the image in both directions.
void attention_matrix_view(const Scene& scene, Selection& selection, WhatIfs& what_ifs);

/// The heads side by side, concatenated, and each one's contribution to the chosen token through W_O.
void heads_view(const Scene& scene, Selection& selection, WhatIfs& what_ifs);

/// z, a branch and their sum as maps of the image.
void residual_view(const Scene& scene, Selection& selection, WhatIfs& what_ifs);

/// The hidden units of the chosen token before and after the activation.
void mlp_view(const Scene& scene, Selection& selection, WhatIfs& what_ifs);

/// GELU, ReLU and ELU over this image's own pre-activations.
void activation_view(const Scene& scene, Selection& selection, WhatIfs& what_ifs);

/// Dropout masks for a p and a seed, and the scaling of the numbers that are kept.
void dropout_view(const Scene& scene, Selection& selection, WhatIfs& what_ifs);

/// One token, or the whole image, through ℓ = 0 … L.
void depth_view(const Scene& scene, Selection& selection, WhatIfs& what_ifs);

/// Cross-entropy for a chosen true class.
void loss_view(const Scene& scene, Selection& selection, WhatIfs& what_ifs);

/// Vanishing gradients in depth, with and without norms and skips, at the start of a deep encoder's training.
void gradients_view(const Scene& scene, Selection& selection, WhatIfs& what_ifs);

/// Shows what an attention map is and what it is not.
void explanation_view(const Scene& scene, Selection& selection, WhatIfs& what_ifs);

/// Parameters, multiply-adds and memory of a Vision Transformer of any shape.
void models_view(const Scene& scene, Selection& selection, WhatIfs& what_ifs);

/// The image beside texts in one space, and the contrastive loss of a batch, at any temperature.
void two_towers_view(const Scene& scene, Selection& selection, WhatIfs& what_ifs);

}  // namespace vitrine
