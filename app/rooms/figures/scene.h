#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/ui/geometry.h"
#include "app/ui/ui.h"
#include "app/ui/widgets/bars.h"
#include "app/ui/widgets/canvas.h"
#include "app/ui/widgets/heatmap.h"
#include "core/transformer/intervention.h"
#include "core/vit/provenance.h"

namespace vitrine {

struct Config;
struct Model;
struct Result;
class Selection;

using WhatIfs = std::vector<Intervention>;

/// Inputs of a view, which is a pure function of these and the selection.
struct Scene {
    const Ui& ui;
    const Result& now;
    Canvas& canvas;
    Rect area;          // the view's rectangle
    float time = 1.0F;  // of the step's animation, 0 … 1
};

<<<<<<< HEAD
// Helpers shared by views.
=======
// Views: free functions that draw a picture, handle the pointer, and change only the selection and the what-ifs.

/// The original image, the model's crop, and the normalised pixels.
void image_view(const Scene& scene, Selection& selection, WhatIfs& what_ifs);

/// The image cut into patches, pulled apart with time.
void patches_view(const Scene& scene, Selection& selection, WhatIfs& what_ifs);

/// A patch times a filter gives one number; the filter on every patch; all D numbers of the patch.
void patch_embedding_view(const Scene& scene, Selection& selection, WhatIfs& what_ifs);

/// Similarity of the position embeddings: a small map for every position, and one enlarged.
void position_view(const Scene& scene, Selection& selection, WhatIfs& what_ifs);

/// Attention of the chosen token: one small map of the image per head, or one head enlarged.
void attention_view(const Scene& scene, Selection& selection, WhatIfs& what_ifs);

/// From the class token to the prediction, and the effect of what-ifs on it.
void prediction_view(const Scene& scene, Selection& selection, WhatIfs& what_ifs);

/// The learned vector before the patches, and its way through the model.
void class_token_view(const Scene& scene, Selection& selection, WhatIfs& what_ifs);

/// The chosen token's features before, centred, scaled, after γ and β; μ and σ of all tokens.
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

/// Masks for a p and seed, and the scaling of what is kept.
void dropout_view(const Scene& scene, Selection& selection, WhatIfs& what_ifs);
/// Number of masks averaged to show that their mean converges to x.
inline constexpr int masks_averaged = 64;

/// One token, or the whole image, through ℓ = 0 … L.
void depth_view(const Scene& scene, Selection& selection, WhatIfs& what_ifs);

/// Cross-entropy for a chosen true class.
void loss_view(const Scene& scene, Selection& selection, WhatIfs& what_ifs);

/// Vanishing gradients in depth, with and without norms and skips, at the start of a deep encoder's training.
void gradients_view(const Scene& scene, Selection& selection, WhatIfs& what_ifs);

/// What an attention map is and is not.
void explanation_view(const Scene& scene, Selection& selection, WhatIfs& what_ifs);

/// Parameters, multiply-adds and memory of a Vision Transformer of any shape.
void models_view(const Scene& scene, Selection& selection, WhatIfs& what_ifs);

// Helpers shared by views.
>>>>>>> c14ae7965b3797fa6d711c98f09a93f8df55d29c

/// A figure whose cells are numbers of a tensor, in the same order: cell i of the region is cell i of the figure.
struct CellFigure {
    std::string id;  // probe id
    Region region;
    GridSize size;  // rows · columns = the region's count
};

/// The pointer's actions on such a figure in this frame.
struct CellHit {
    std::optional<Cell> hovered, clicked;
    bool menu = false;  // right button on the hovered cell
};

/// Handles the pointer on the figure's numbers: the hovered one is written out beside the picture, a click pins it.
/// Outlines the number in view and all its source cells here, and frames the figure while its symbol is highlighted.
CellHit point_at_cells(const Scene& scene, Rect rect, const CellFigure& figure, Selection& selection);

/// A token's name: "class token", "register 1" or "patch 13 · row 2, column 5".
std::string token_name(const Ui& ui, const Result& now, int token);
std::string short_token_name(const Ui& ui, const Result& now, int token);
/// The terms of N: "N = Nₚ + 1".
std::string tokens_sum(const Config& config);

/// The patch of the image in token 1 … N_p, which a shuffle changes.      ->  0 … N_p − 1
int patch_at(const Result& now, int token);

/// The picture's colour in a channel of the model's input.
std::size_t colour_of_channel(const Scene& scene, std::size_t channel);
/// A channel's name: its colour, "R", or grey.
std::string name_of_channel(const Scene& scene, std::size_t channel);

/// A class's name in the window: translated for drawn pictures, else from the model.
std::string class_name(const Ui& ui, const Model& model, int index);

/// Translated names of drawn classes: "fish, house, tree".
std::string class_list(const Ui& ui, const std::vector<std::string>& labels);

/// The largest centred rectangle of an aspect (width / height) in another.
Rect fit(Rect into, float aspect);

/// Words centred below (or above) a figure in the caption font.
void caption(const Scene& scene, Point top_centre, const std::string& words);

/// The best classes as bars, with their values without the what-ifs.
std::vector<BarRow> class_rows(const Ui& ui, const Result& now, int count);

/// The patches that are switched off, as tokens.
std::vector<int> tokens_off(const WhatIfs& what_ifs);

/// The model's input picture with interactive patches; hovers and clicks go to the selection.
struct PatchPicture {
    std::string id;
    float opacity = 1.0F;
    float saturation = 1.0F;
    bool lines = true;
    bool names = true;  // names the hovered patch, unless something else does
};
void patch_picture(const Scene& scene, Rect rect, const PatchPicture& picture, Selection& selection, WhatIfs& what_ifs);

/// Only the interaction, over an existing drawing. Returns the token hovered here.
std::optional<int> patch_pointing(const Scene& scene, Rect rect, const PatchPicture& picture, Selection& selection,
                                  WhatIfs& what_ifs);

}  // namespace vitrine
