#pragma once

#include <cstdint>
#include <vector>

#include "core/base/random.h"
#include "core/training/pictures/painting.h"

namespace vitrine {

/// Parameters of a difficulty. Areas are shares of the picture.
struct PictureStyle {
    float least_area, most_area;
    float turn;       // largest rotation of a thing, in turns
    float occlusion;  // probability of an occluder
    float grain;      // largest standard deviation of the pixel noise
    float texture;    // strength of the background's texture
    int distractors;  // at most; at least one
};

/// A picture in progress, with the masks of thing, distractors and occluders.
struct PictureScene {
    Painting painting;
    PictureStyle style;
    Random random;
    Coverage object, distractor, occluder;  // empty if not needed
    Colour background;                      // its mean, for contrast
};

/// Adds coverage of a pixel to a mask, or removes it where it is hidden. Does nothing for an empty mask.
inline void cover(Coverage& what, std::size_t pixel, float covered) {
    if (!what.empty()) what[pixel] += (1 - what[pixel]) * covered;
}
inline void uncover(Coverage& what, std::size_t pixel, float covered) {
    if (!what.empty()) what[pixel] *= 1 - covered;
}

/// A random placement: turned by up to `turn`, its centre at least `margin` from the edges, mirrored half the time.
Placement random_placement(Random& random, float scale, float turn, float margin);

/// Paints two colours that blend in one of several ways, with noise.
void paint_background(PictureScene& scene);

/// Paints blobs and strokes below the thing.
void paint_distractors(PictureScene& scene);

/// Paints a large blob or bar that covers a part of the thing, off its centre.
void paint_occluder(PictureScene& scene, const Placement& thing);

/// Applies the camera: contrast, brightness, darker corners and grain, rounded to bytes.      -> rgb (size · size · 3)
void expose(PictureScene& scene, std::uint8_t* rgb);

/// A mask as bytes 0 … 255, rounded.
std::vector<std::uint8_t> to_bytes(const Coverage& coverage);

}  // namespace vitrine
