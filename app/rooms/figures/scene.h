#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/ui/geometry.h"
#include "core/vit/provenance.h"

namespace vitrine {

struct BarRow;
class Canvas;
struct Config;
struct Intervention;
struct Model;
struct OpenImage;
struct Result;
class Selection;
class Text;
struct Ui;

using WhatIfs = std::vector<Intervention>;

/// Run and selection of the other workspace when two are side by side.
struct OtherRun {
    const Result& now;
    const Selection& selection;
};

/// Inputs of a view, which is a pure function of these and the selection.
struct Scene {
    const Ui& ui;
    const Result& now;
    Canvas& canvas;
    Rect area;                        // the view's rectangle
    float time = 1.0F;                // progress of the step's animation, 0 … 1
    const OtherRun* other = nullptr;  // null: a single run
    bool hall = false;                // projected, as in a lecture

    /// This scene with the other run, which must exist.
    Scene of_other() const { return {ui, other->now, canvas, area, time, nullptr, hall}; }
};

/// The largest `measure(scene, selection)` of the runs side by side, so that their colours and bars share a scale.
template <class Measure>
float over_runs(const Scene& scene, const Selection& selection, const Measure& measure) {
    const float own = measure(scene, selection);
    if (scene.other == nullptr) return own;
    const float others = measure(scene.of_other(), scene.other->selection);
    return others > own ? others : own;
}
/// The caption of a scale's range; with two runs side by side it adds that they share the scale.
std::string range_words(const Scene& scene, const std::string& words);

// Helpers shared by views.

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

/// Handles the pointer on the figure's numbers: the hovered number is written out beside the picture, a click pins it.
/// Outlines the hovered or pinned number and its source cells, and frames the figure while its symbol is highlighted.
CellHit point_at_cells(const Scene& scene, Rect rect, const CellFigure& figure, Selection& selection);

/// A token's name: "class token", "register 1" or "patch 13 · row 2, column 5".
std::string token_name(const Ui& ui, const Result& now, int token);
std::string short_token_name(const Ui& ui, const Result& now, int token);
std::string short_token_name(const Ui& ui, const Config& config, int token);
/// The number of tokens as a sum: "N = Nₚ + 1".
std::string tokens_sum(const Config& config);

/// Index of the image patch from which a patch token is made; a shuffle changes it.      ->  0 … N_p − 1
int patch_at(const Result& now, int token);

/// The colour (0 red, 1 green, 2 blue) in a channel of the model's input; reversed for models that take BGR.
std::size_t colour_of_channel(const Scene& scene, std::size_t channel);
/// A channel's name: its colour, "R", or grey.
std::string name_of_channel(const Scene& scene, std::size_t channel);

/// Display name of an image: the translated class of a drawn picture, or the file's name.
std::string image_title(const Text& text, const OpenImage& image);
/// Display name of a model: translated for a bundled one, else its own.
std::string model_title(const Text& text, const Model& model);

/// Display name of a class: translated for models of drawn pictures, else the model's label.
std::string class_name(const Ui& ui, const Model& model, int index);
/// The same within a sentence: in quotes where it has several words.
std::string class_in_words(const Ui& ui, const Model& model, int index);

/// Translated names of drawn classes: "fish, house, tree".
std::string class_list(const Ui& ui, const std::vector<std::string>& labels);

/// The largest rectangle of an aspect ratio (width / height) that fits into another, centred in it.
Rect fit(Rect into, float aspect);

/// Draws words centred below (or above) a figure in the caption font.
void caption(const Scene& scene, Point top_centre, const std::string& words);

/// The `count` most probable classes as bars; if what-ifs change the prediction, with the probabilities without them.
std::vector<BarRow> class_rows(const Ui& ui, const Result& now, int count);

/// The tokens that what-ifs switch off.
std::vector<int> tokens_off(const WhatIfs& what_ifs);

/// The model's input picture with interactive patches; hovers and clicks go to the selection.
struct PatchPicture {
    std::string id;
    float opacity = 1.0F;
    float saturation = 1.0F;
    bool lines = true;
    bool names = true;  // shows the hovered patch's name; false if another readout shows it
};
void patch_picture(const Scene& scene, Rect rect, const PatchPicture& picture, Selection& selection, WhatIfs& what_ifs);

/// The interaction of `patch_picture` alone, over an existing drawing. Returns the hovered token.
std::optional<int> patch_pointing(const Scene& scene, Rect rect, const PatchPicture& picture, Selection& selection,
                                  WhatIfs& what_ifs);

}  // namespace vitrine
