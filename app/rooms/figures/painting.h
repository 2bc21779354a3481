#pragma once

#include <vector>

#include "app/ui/geometry.h"

namespace vitrine {

class Canvas;
struct Config;
struct GridHit;
struct Intervention;
struct PatchGrid;
class Selection;
struct Ui;

/// Highlights the patches that the brush touches on a grid, and paints them when the mouse button is released, so that
/// a stroke is one change. Returns true while the brush is in hand: the caller must then ignore clicks on the grid.
bool paint_patches(Canvas& canvas, const Ui& ui, Rect rect, const Config& config, const PatchGrid& grid,
                   const GridHit& hit, Selection& selection, std::vector<Intervention>& what_ifs);

}  // namespace vitrine
