#pragma once

#include "core/training/pictures/picture_scene.h"
#include "core/training/pictures/picture_set.h"

namespace vitrine {

/// Paints a picture of the book except for the camera: setting, light, clutter, thing, and what hides it.
void paint_picturebook(PictureScene& scene, Difficulty difficulty, int label);

/// Style of the book's camera and papers.
PictureStyle picturebook_style(Difficulty difficulty);

}  // namespace vitrine
