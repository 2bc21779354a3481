#pragma once

#include "core/training/pictures/difficulty.h"
#include "core/training/pictures/picture_scene.h"

namespace vitrine {

/// Paints a picture of the book up to the camera: a setting, its light, what lies about, the thing, what hides it.
void paint_picturebook(PictureScene& scene, Difficulty difficulty, int label);

/// The style that the camera and papers of the book have.
PictureStyle picturebook_style(Difficulty difficulty);

}  // namespace vitrine
