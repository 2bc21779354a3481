#pragma once

#include "core/training/pictures/picture_scene.h"

namespace vitrine {

/// The direction of a picture's light (a unit vector, y down) and the strength of its shading.
struct Light {
    PlanePoint from;
    float strength = 0;
};

/// A pattern on the surface of a painted thing, in the coordinates of the thing's square (−1 to 1).
struct Material {
    enum Kind { plain, stripes, dots, grain, speckle, checks };
    static constexpr int kinds = 6;
    Kind kind = plain;
    std::uint32_t seed = 0;
    float cos = 1, sin = 0;  // direction of the pattern
    float frequency = 0;     // periods per unit of the square
    float strength = 0;      // 0 … 1
};

/// Colours and patterns of a thing, independent of its class.
struct Look {
    Colour ink[4];           // by Ink
    Material surface, trim;  // of the first two inks
    Colour outline;
    float outline_width = 0;  // in units of the square; 0: none
    bool shadow = false;
};
Look choose_look(PictureScene& scene);

/// The layer of a stroke: clutter, the labelled thing, or what hides it. Paint is added to its layer's mask and removed
/// from the masks of the layers that it covers.
enum class Depth { clutter, thing, above };

struct Stroke {
    const Placement& placement;
    const Look& look;
    Depth depth = Depth::thing;
};

/// Paints the parts of a thing with shadow, patterns and light.
void paint_parts(PictureScene& scene, const Light& light, const Pictogram& parts, const Stroke& stroke);

/// Smooth noise at a point, 0 … 1, the same at every picture size.
float noise_at(float x, float y, std::uint32_t seed);

}  // namespace vitrine
