#pragma once

#include <optional>
#include <string>

#include "app/ui/geometry.h"
#include "app/ui/widgets/picture.h"

namespace vitrine {

class Canvas;
struct Ui;

/// The cell under a point; none outside the figure.
std::optional<GridCell> cell_at(Rect figure, GridSize size, Point at);
Rect cell_rect(Rect figure, GridSize size, GridCell cell);

/// A two-tone frame around a cell, visible on every colour of a map: light beside a dark colour, dark beside a light
/// one.
void outline_cell(Canvas& canvas, const Ui& ui, Rect cell, Color color);

/// A matrix with axis titles and numbers; `row_axis` and `column_axis` may be empty.
struct HeatFigure {
    HeatMap map;
    std::string row_axis = {}, column_axis = {};
    bool square_cells = true;
};

/// Draws the matrix as large as possible; returns the rectangle of its cells, for `cell_at`.
Rect heat_figure(Canvas& canvas, const Ui& ui, Rect rect, const HeatFigure& figure);

struct ColourBar {
    ColourScale scale;
    std::string caption;       // the measure
    std::string scope = {};    // scope of the range: this head, this block, the whole model
    std::string shorter = {};  // used if the full caption does not fit beside the scope
};

/// The colour bar of a map: caption and scope, colours, ticks with the exact ends. Returns its height, which does not
/// depend on the width.
float colour_bar(Canvas& canvas, const Ui& ui, Rect rect, const ColourBar& bar);

}  // namespace vitrine
