#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/rooms/figures/scene.h"
#include "app/ui/widgets/colour_map.h"
#include "app/ui/widgets/picture.h"
#include "core/vit/model.h"
#include "core/vit/trace.h"

namespace vitrine {

struct ColourBar;
class Selection;
struct Ui;

// Figures shared by chapters. All draw to the scene's canvas and are pure functions of its time.

/// Progress 0 … 1 of a phase of the animation from `begin` to `end`, with easing.
float phase(float time, float begin, float end);

/// Stacks rectangles from top to bottom.
class RectStack {
public:
    RectStack(Rect rect, float gap) : rect_(rect), y_(rect.y0), gap_(gap) {}
    Rect next(float height);
    Rect rest() const { return {rect_.x0, y_, rect_.x1, rect_.y1}; }

private:
    Rect rect_;
    float y_, gap_;
};

/// A horizontal part of a rectangle, between two fractions of its width.
Rect columns(Rect rect, float from, float to);

/// Layout of `count` maps of one aspect (width / height), as large as possible with `room` beside and below each.
struct Tiling {
    int columns = 1, rows = 1;
    float width = 0;  // width of a map
};
Tiling tiling_of(int count, Rect rect, float aspect, Point room);

float reach_of(std::span<const float> values);  // the largest magnitude, or 1 if all are 0

/// The scale `own` of a figure, with its ends from `Selection::reach`: two runs side by side share them.
ColourScale named_scale(Selection& selection, const std::string& figure, ColourScale own);

/// Draws the colour bar of a scale; if two runs side by side share the scale, its scope says so (`range_words`).
void scale_bar(const Scene& scene, Rect rect, const ColourBar& bar);

/// The chosen block of the shown run, and its weights.
std::shared_ptr<const BlockTrace> block_of(const Scene& scene, const Selection& selection);
const BlockWeights& weights_of(const Scene& scene, const Selection& selection);

/// A row of a tensor.
std::span<const float> row_of(const Tensor2& tensor, int row);
std::span<const float> row_of(const Tensor3& tensor, int head, int row);

/// The region of one row of a tensor: (1, columns).
Region row_region(Quantity quantity, int block, int head, int row, int columns);

/// "q (4, 65, 16)".
std::string shape_words(const std::string& name, std::initializer_list<int> shape);

/// Writes a figure's title on the left and the range of its colours or bars on the right; returns the line's height.
float ranged_title(const Scene& scene, Rect rect, const std::string& title, float reach, Color color);

/// A vector as bars around 0, with a line for title and range.
struct VectorFigure {
    std::string id, title;
    std::span<const float> values;
    std::optional<Region> region = {};  // the source of the numbers, for hovering
    std::optional<Color> color = {};
    float reach = 0;  // value of a bar of full height; 0: the largest magnitude
    std::optional<int> lit = {};
};
CellHit vector_figure(const Scene& scene, Rect rect, const VectorFigure& figure, Selection& selection);

/// A number for every token: a map of the image, the tokens without a place in it on its left, the colour bar below.
struct TokenMap {
    std::string id, title;
    std::span<const float> values;  // (N)
    ColourScale scale;
    std::string scope;
    std::optional<Region> region = {};  // (N rows, 1 column), for hovering
    bool image_below = false;           // the picture shows through cells of small values
    std::string shorter = {};           // title to use if the long one does not fit beside the scope
    std::string symbol = {};            // name of a value in the readout; the title if empty
};
void token_map(const Scene& scene, Rect rect, const TokenMap& map, Selection& selection);
/// Draws the tokens without a place in the image, in cells to the left of a map's patches; reads only their values.
void leading_cells(const Scene& scene, Rect figure, const TokenMap& map, Selection& selection);
/// The width of these cells with the gap to the map, px; 0 if there are none.
float leading_room(const Scene& scene);
/// The rectangle of a map's patches in the map's rectangle: those cells are on the left, the colour bar is below.
Rect patches_of_map(const Scene& scene, Rect rect);
/// The width of a map's colour bar in the map's rectangle, px.
float width_of_map_bar(const Scene& scene, Rect rect);

/// The model's input below a map of weights, at a brightness of 0 … 1: nearly grey up to the usual one, then coloured.
Picture picture_below(const Scene& scene, float brightness);
/// Draws the slider of that brightness, across the remaining width.
void brightness_slider(const Ui& ui, Selection& selection);

/// Outlines the chosen and the hovered patch on a figure of the image's grid.
void outline_patches(const Scene& scene, Rect figure, const Selection& selection);

/// Handles the pointer on a figure whose rows are tokens: a hovered cell hovers its token, a click chooses it.
void point_at_tokens(const Scene& scene, Rect rect, const CellFigure& figure, Selection& selection);

/// Draws two maps of the chosen head, each on its own scale: the keys that the chosen token attends to, its row of A,
/// and the queries that attend to it, its column. Probe ids "<id>.looks" and "<id>.looked".
void looks_both_ways(const Scene& scene, Rect rect, const std::string& id, Selection& selection);
/// Draws only the second map.
void who_looks_here(const Scene& scene, Rect rect, const std::string& id, Selection& selection);

/// Draws the choice of attention weights or their square roots for the colours of all maps.
void curve_choice(const Scene& scene, Point at, Selection& selection);
float curve_choice_width(const Scene& scene);

/// Words of a colour bar for attention weights, long and short; they name the curve unless it is linear.
struct WeightWords {
    std::string caption, shorter;
};
WeightWords weight_words(const Ui& ui, Curve curve);

/// True if a few weights set the range: at least one of them, but at most 2 % of all, exceeds a quarter of `high`.
bool few_set_the_range(std::span<const float> weights, float high);

/// Draws an arrow with the shape of the tensor that flows along it.
void arrow_down(const Scene& scene, Point from, float length, const std::string& words);
void arrow_right(const Scene& scene, Point from, float length, const std::string& words);

/// Draws an operator between figures: "⊙", "=".
void operator_sign(const Scene& scene, Point centre, const std::string& sign);

/// Writes one line of text, cut to a width; returns its height.
float text_line(const Scene& scene, Point at, float width, const std::string& words, Font font = Font::body,
                std::optional<Color> color = {});

/// A chip's text, or only its number if the chip is too narrow.
std::string chip_words(const Scene& scene, const std::string& words, const std::string& number, float width);

/// Writes rich text, wrapped into a rectangle; returns its height.
float text_block(const Scene& scene, Rect rect, const std::string& markup, Font font = Font::body);

/// Draws the choice between the halves of a block.
void half_choice(const Scene& scene, Point at, Selection& selection);

}  // namespace vitrine
