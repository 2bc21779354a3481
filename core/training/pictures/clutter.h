#pragma once

#include <span>

#include "core/training/pictures/brush.h"

namespace vitrine {

/// Objects in the scene that belong to no class: balls, crates, leaves, single wheels …
struct ClutterKind {
    const char* name;
    Pictogram (*make)(Random& random);
};
std::span<const ClutterKind> clutter_kinds();

/// Paints one of these objects at a random place.
void paint_clutter(PictureScene& scene, const Light& light);

/// Paints grass, slats or something large in front of a place in the picture, about `reach` wide.
void paint_before(PictureScene& scene, const Light& light, PlanePoint place, float reach);

}  // namespace vitrine
