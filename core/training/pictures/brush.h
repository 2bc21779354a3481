#pragma once

#include "core/training/pictures/picture_scene.h"

namespace vitrine {

/// The direction of a picture's light (a unit vector, y down) and the strength of its shading.
struct Light {
    PlanePoint from;
    float strength = 0;
};

/// A pattern on a surface, in the coordinates of its thing.
struct Material {
    enum Kind { plain, stripes, dots, grain, speckle, checks };
    static constexpr int kinds = 6;
    Kind kind = plain;
    std::uint32_t seed = 0;
    float cos = 1, sin = 0, frequency = 0, strength = 0;
};

/// A thing's appearance: colours and patterns, independent of its class.
struct Look {
    Colour ink[4];           // by Ink
    Material surface, trim;  // with the first two inks
    Colour outline;
    float outline_width = 0;  // 0: none
    bool shadow = false;
};
Look choose_look(PictureScene& scene);

/// The layer to which paint belongs, which decides the mask it joins and those it hides.
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
