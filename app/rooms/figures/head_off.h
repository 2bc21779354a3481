#pragma once

#include <string>

#include "app/ui/geometry.h"

namespace vitrine {

struct Scene;
struct Ui;

/// True if a head is switched off in the run that is shown.
bool head_is_off(const Scene& scene, int block, int head);
/// Says what the run uses instead of a head that is off.
std::string words_of_off_head(const Ui& ui, int head);
/// Draws, in place of such a head's map, the picture, darker than usual and hatched.
void draw_off_map(const Scene& scene, Rect rect, float brightness);

}  // namespace vitrine
