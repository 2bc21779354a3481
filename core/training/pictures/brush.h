#pragma once

#include "core/training/pictures/picture_scene.h"

namespace vitrine {

/// Where the light of a picture comes from (a unit vector, y down) and how much it models.
struct Light {
    PlanePoint from;
    float strength = 0;
};

/// A pattern on a surface, in the coordinates of the thing that bears it.
struct Material {
    enum Kind { plain, stripes, dots, grain, speckle, checks };
    static constexpr int kinds = 6;
    Kind kind = plain;
    std::uint32_t seed = 0;
    float cos = 1, sin = 0, frequency = 0, strength = 0;
};

/// How a thing looks: colours and patterns that carry no class.
struct Look {
    Colour ink[4];           // by Ink
    Material surface, trim;  // of the first two inks
    Colour outline;
    float outline_width = 0;  // 0: none
    bool shadow = false;
};
Look choose_look(PictureScene& scene);

/// What paint becomes part of, and hides.
enum class Depth { clutter, thing, above };

struct Stroke {
    const Placement& placement;
    const Look& look;
    Depth depth = Depth::thing;
};

/// Paints the parts of a thing with its shadow, patterns and light.
void paint_parts(PictureScene& scene, const Light& light, const Pictogram& parts, const Stroke& stroke);

/// Smooth noise at a point, 0 … 1: the same at every size.
float noise_at(float x, float y, std::uint32_t seed);

}  // namespace vitrine
