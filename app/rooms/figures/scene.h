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
