#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/rooms/figures/scene.h"
#include "core/vit/model.h"
#include "core/vit/trace.h"

namespace vitrine {

class Selection;

// Figures that the chapters share. All of them draw through the scene's canvas and are pure functions of its time.

/// How far a part of the motion that lasts from `begin` to `end` has come, 0 … 1, starting and ending slowly.
float phase(float time, float begin, float end);

/// Rectangles below one another.
class RectStack {
public:
    RectStack(Rect rect, float gap) : rect_(rect), y_(rect.y0), gap_(gap) {}
    Rect next(float height);
    Rect rest() const { return {rect_.x0, y_, rect_.x1, rect_.y1}; }

private:
    Rect rect_;
    float y_, gap_;
};

/// The part of a rectangle's width from one fraction to another.
Rect columns(Rect rect, float from, float to);

/// How `count` maps of one aspect (width / height) lie: as large as the rectangle allows, each with `room` beside and
/// below it.
struct Tiling {
    int columns = 1, rows = 1;
    float width = 0;  // of a map
};
Tiling tiling_of(int count, Rect rect, float aspect, Point room);

float reach_of(std::span<const float> values);  // the largest magnitude; 1 where all are 0

/// The chosen block of the run that is shown, and its weights.
std::shared_ptr<const BlockTrace> block_of(const Scene& scene, const Selection& selection);
const BlockWeights& weights_of(const Scene& scene, const Selection& selection);

/// A row of a tensor.
std::span<const float> row_of(const Tensor2& tensor, int row);
std::span<const float> row_of(const Tensor3& tensor, int head, int row);

/// The rows of a region that hold one token: (1, columns).
Region row_region(Quantity quantity, int block, int head, int row, int columns);

/// "q (4, 65, 16)".
std::string shape_words(const std::string& name, std::initializer_list<int> shape);

/// A line with a figure's name on the left and the range of its colours or bars on the right; returns its height.
float ranged_title(const Scene& scene, Rect rect, const std::string& title, float reach, Color color);

/// A vector as bars around 0 under a line with its name and its range.
struct VectorFigure {
    std::string id, title;
    std::span<const float> values;
    std::optional<Region> region = {};  // where the numbers are from, to be pointed at
    std::optional<Color> color = {};
    float reach = 0;  // 0: of the values
    std::optional<int> lit = {};
};
CellHit vector_figure(const Scene& scene, Rect rect, const VectorFigure& figure, Selection& selection);

/// A number of every token: a map over the image, those without a place in it beside it, the scale below.
struct TokenMap {
    std::string id, title;
    std::span<const float> values;  // (N)
    ColourScale scale;
    std::string scope;
    std::optional<Region> region = {};  // (N rows, 1 column), to be pointed at
    bool image_below = false;           // the picture shines through weak cells
    std::string shorter = {};           // the title where it is too long beside the scope
    std::string symbol = {};            // what a value is called at the pointer; the title where there is none
};
void token_map(const Scene& scene, Rect rect, const TokenMap& map, Selection& selection);
/// Where in the rectangle its patches stand: the tokens before them are left of them, the colour bar below.
Rect patches_of_map(const Scene& scene, Rect rect);

/// Outlines the chosen and the hovered patch on a figure of the image's grid.
void outline_patches(const Scene& scene, Rect figure, const Selection& selection);

/// A figure whose rows are tokens: pointing at a cell points at its token, a click chooses the token.
void point_at_tokens(const Scene& scene, Rect rect, const CellFigure& figure, Selection& selection);

/// Two maps of the chosen head: where the token in view looks, its row of A, and who looks at it, its column; the class
/// token among them, both on one scale. Probe ids "<id>.looks" and "<id>.looked".
void looks_both_ways(const Scene& scene, Rect rect, const std::string& id, Selection& selection);
/// The second of them alone.
void who_looks_here(const Scene& scene, Rect rect, const std::string& id, Selection& selection);

/// Whether colours show attention weights or their square roots, for every map of them.
void curve_choice(const Scene& scene, Point at, Selection& selection);
float curve_choice_width(const Scene& scene);

/// What a bar of attention weights says of its colours, and the same where there is little room: √a is named where the
/// colours show it.
struct WeightWords {
    std::string caption, shorter;
};
WeightWords weight_words(const Ui& ui, Curve curve);

/// Whether a few weights set the range alone: of all others, and there are many, none reaches a quarter of it.
bool few_set_the_range(std::span<const float> weights, float high);

/// An arrow with the shape of what flows along it.
void arrow_down(const Scene& scene, Point from, float length, const std::string& words);
void arrow_right(const Scene& scene, Point from, float length, const std::string& words);

/// A sign between figures: "⊙", "=".
void operator_sign(const Scene& scene, Point centre, const std::string& sign);

/// One line of text, cut to a width; returns its height.
float text_line(const Scene& scene, Point at, float width, const std::string& words, Font font = Font::body,
                std::optional<Color> color = {});

/// The words on a chip, or only their number where the chip is too narrow for them.
std::string chip_words(const Scene& scene, const std::string& words, const std::string& number, float width);

/// Rich text wrapped into a rectangle; returns its height.
float text_block(const Scene& scene, Rect rect, const std::string& markup, Font font = Font::body);

/// Chooses the first or the second half of a block.
void half_choice(const Scene& scene, Point at, Selection& selection);

}  // namespace vitrine
