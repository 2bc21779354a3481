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

/// What a view reads. It is a pure function of this and the selection.
struct Scene {
    const Ui& ui;
    const Result& now;
    Canvas& canvas;
    Rect area;          // where it draws
    float time = 1.0F;  // of the step's motion, 0 … 1
};

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

// What several views share.

/// A figure whose cells are numbers of a tensor: cell i of the region, row by row, is cell i of the figure.
struct CellFigure {
    std::string id;  // of the probe
    Region region;
    GridSize size;  // rows · columns = the region's count
};

/// What the pointer does on such a figure in this frame.
struct CellHit {
    std::optional<Cell> hovered, clicked;
    bool menu = false;  // the right button, on the hovered one
};

/// Lets the user point at the figure's numbers: the hovered one is written out beside the picture, a click keeps it.
/// Outlines the number in view and every cell here that it comes from, and frames the figure while its symbol is lit.
CellHit point_at_cells(const Scene& scene, Rect rect, const CellFigure& figure, Selection& selection);

/// The token by name: "class token", "register 1" or "patch 13 · row 2, column 5".
std::string token_name(const Ui& ui, const Result& now, int token);
std::string short_token_name(const Ui& ui, const Result& now, int token);
/// "N = Nₚ + 1": what N is the sum of.
std::string tokens_sum(const Config& config);

/// Which patch of the image stands at a token 1 … N_p: a shuffle puts another one there.      ->  0 … N_p − 1
int patch_at(const Result& now, int token);

/// Which of the picture's three colours a channel of the model's input holds.
std::size_t colour_of_channel(const Scene& scene, std::size_t channel);
/// What a channel is called: its colour, "R", or grey where it holds none of its own.
std::string name_of_channel(const Scene& scene, std::size_t channel);

/// A class as the window names it: what Vitrine draws in the window's language, others as their model does.
std::string class_name(const Ui& ui, const Model& model, int index);

/// Classes of drawn pictures in the window's language: "fish, house, tree".
std::string class_list(const Ui& ui, const std::vector<std::string>& labels);

/// The largest rectangle of that aspect (width / height) in the middle of another.
Rect fit(Rect into, float aspect);

/// Words centred under (or over) a figure in the caption font.
void caption(const Scene& scene, Point top_centre, const std::string& words);

/// The best classes as bars; where what-ifs change the run, with what they were before.
std::vector<BarRow> class_rows(const Ui& ui, const Result& now, int count);

/// The patches that are switched off, as tokens.
std::vector<int> tokens_off(const WhatIfs& what_ifs);

/// The model's input picture with its patches to point at; what is pointed at and clicked goes to the selection.
struct PatchPicture {
    std::string id;
    float opacity = 1.0F;
    float saturation = 1.0F;
    bool lines = true;
    bool names = true;  // the patch under the pointer, where nothing else is told there
};
void patch_picture(const Scene& scene, Rect rect, const PatchPicture& picture, Selection& selection, WhatIfs& what_ifs);

/// Only the pointing part of it, over whatever is already drawn. Returns the token that is pointed at here.
std::optional<int> patch_pointing(const Scene& scene, Rect rect, const PatchPicture& picture, Selection& selection,
                                  WhatIfs& what_ifs);

}  // namespace vitrine
