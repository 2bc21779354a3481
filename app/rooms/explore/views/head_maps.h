#pragma once

#include "app/rooms/figures/scene.h"
#include "core/vit/experiment.h"

namespace vitrine {

class Selection;

// Maps of attention over the picture, each with its head's name, switch and numbers below.

/// Draws the maps of all heads of the chosen block in a rectangle.
void all_head_maps(const Scene& scene, Rect rect, Selection& selection, WhatIfs& what_ifs);

/// The width of each map that `all_head_maps` draws in a rectangle.
float width_of_each_map(const Scene& scene, Rect rect);

/// Draws the chosen head's map alone, with a button that returns to all.
void one_head_map(const Scene& scene, Rect rect, Selection& selection, WhatIfs& what_ifs);

}  // namespace vitrine
