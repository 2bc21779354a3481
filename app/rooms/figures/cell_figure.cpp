#include <algorithm>

#include "app/rooms/figures/computation.h"
#include "app/rooms/figures/scene.h"
#include "app/ui/keyboard_focus.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/canvas.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/heatmap.h"
#include "app/ui/widgets/hot_area.h"
#include "app/ui/widgets/number.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"

namespace vitrine {

namespace {

/// A source with more cells than this is outlined as a whole, not cell by cell.
constexpr int outlined_cells = 400;

Rect rect_of(Rect rect, const CellFigure& figure, const Cell& cell) {
    const int i = figure.region.index(cell);
    return cell_rect(rect, figure.size, {i / figure.size.columns, i % figure.size.columns});
}

/// Colour of a source, by its part in the number.
Color color_of(const Palette& p, Part part) {
    switch (part) {
        case Part::a:
        case Part::own: return p.query;
        case Part::b: return p.key;
        case Part::mean:
        case Part::variance:
        case Part::gamma:
        case Part::beta: return p.norm;
        case Part::bias:
        case Part::all: return p.residual;
    }
    return p.text;
}

/// Outlines a source's cells in this figure: a rectangle if they are adjacent, else every cell.
void outline_source(const Scene& scene, Rect rect, const CellFigure& figure, const Source& source) {
    const auto part = figure.region.intersected(source.region);
    if (!part) return;
    const Color color = color_of(scene.ui.theme.palette, source.part);
    const Rect first = rect_of(rect, figure, part->cell(0)),
               last = rect_of(rect, figure, part->cell(part->count() - 1));
    const bool is_adjacent = figure.size.columns == figure.region.columns() || part->count() == figure.region.count();
    if (is_adjacent || part->count() > outlined_cells) {
        scene.canvas.stroke({first.x0, first.y0, last.x1, last.y1}, color, scene.ui.theme.px(2));
        return;
    }
    for (int i = 0; i < part->count(); ++i)
        scene.canvas.stroke(rect_of(rect, figure, part->cell(i)), color, scene.ui.theme.px(2));
}

}  // namespace

CellHit point_at_cells(const Scene& scene, Rect rect, const CellFigure& figure, Selection& selection) {
    const Theme& theme = scene.ui.theme;
    const Hit hit = hot_area(scene.ui, figure.id, rect, {}, Reach::part);
    CellHit result;
    if (KeyboardFocus* const keyboard = scene.ui.keyboard) {
        keyboard->announce(figure.id, rect);
        const int at = keyboard->cursor_on_last(figure.region.count(), figure.size.columns);
        focus_ring(scene.ui, scene.canvas, rect, 0);
        if (at >= 0) {
            result.hovered = figure.region.cell(at);
            selection.hover_cell(*result.hovered);
            if (keyboard->pressed_last()) selection.focus.cell = result.clicked = result.hovered;
        }
    }
    if (const auto at = hit.at ? cell_at(rect, figure.size, *hit.at) : std::nullopt) {
        result.hovered = figure.region.cell(at->row * figure.size.columns + at->column);
        selection.hover_cell(*result.hovered);
        result.menu = hit.menu;
        if (hit.clicked) selection.focus.cell = result.clicked = result.hovered;
    }
    if (selection.hovered_symbol() == symbol_of(figure.region.quantity))
        scene.canvas.stroke(rect.inset(-theme.px(3)), theme.palette.accent, theme.px(2), theme.px(3));
    if (const auto cell = selection.cell_in_view(); cell && exists(record_of(scene.now), *cell)) {
        for (const Source& source : sources_of(record_of(scene.now), *cell))
            outline_source(scene, rect, figure, source);
        if (figure.region.contains(*cell))
            outline_cell(scene.canvas, scene.ui, rect_of(rect, figure, *cell), theme.palette.text);
    }
    return result;
}

}  // namespace vitrine
