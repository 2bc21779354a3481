#pragma once

#include "core/training/pictures/picture_scene.h"
#include "core/training/pictures/picture_set.h"

namespace vitrine {

/// Paints a picture of the picture book, up to the camera: setting, clutter, thing, what hides it, and light.
void paint_picturebook(PictureScene& scene, Difficulty difficulty, int label);

/// The picture book's style, as used by the camera and by plain backgrounds.
PictureStyle picturebook_style(Difficulty difficulty);

}  // namespace vitrine
