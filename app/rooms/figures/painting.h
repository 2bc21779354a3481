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

/// The brush over a grid of patches: shows the patches that it touches, and paints them when the button is released, so
/// that a stroke is one change. True while the brush is in hand: then a click means nothing else here.
bool paint_patches(Canvas& canvas, const Ui& ui, Rect rect, const Config& config, const PatchGrid& grid,
                   const GridHit& hit, Selection& selection, std::vector<Intervention>& what_ifs);

}  // namespace vitrine
