#pragma once

#include <span>

#include "core/training/pictures/brush.h"

namespace vitrine {

/// What lies about and is no thing of a class: balls, crates, leaves, single wheels …
struct ClutterKind {
    const char* name;
    Pictogram (*make)(Random& random);
};
std::span<const ClutterKind> clutter_kinds();

/// One of them, somewhere.
void paint_clutter(PictureScene& scene, const Light& light);

/// Grass, slats or something large before a place of the picture, about `reach` wide.
void paint_before(PictureScene& scene, const Light& light, PlanePoint place, float reach);

}  // namespace vitrine
