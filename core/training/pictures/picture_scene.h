#pragma once

#include <cstdint>
#include <vector>

#include "core/base/random.h"
#include "core/training/pictures/painting.h"

namespace vitrine {

/// What a difficulty means. Areas are shares of the picture.
struct PictureStyle {
    float least_area, most_area;
    float turn;       // largest, in turns
    float occlusion;  // probability that something lies over the thing
    float grain;      // largest standard deviation of the pixels' noise
    float texture;    // of the background
    int distractors;  // at most; at least one
};

/// The picture while it comes about, and what of it is thing and distractor.
struct PictureScene {
    Painting painting;
    PictureStyle style;
    Random random;
    Coverage object, distractor, occluder;  // empty where nobody asks
    Colour background;                      // its middle, for contrast
};

/// A share of a pixel becomes part of a mask, or is hidden from it. Nothing where nobody asks for the mask.
inline void cover(Coverage& what, std::size_t pixel, float covered) {
    if (!what.empty()) what[pixel] += (1 - what[pixel]) * covered;
}
inline void uncover(Coverage& what, std::size_t pixel, float covered) {
    if (!what.empty()) what[pixel] *= 1 - covered;
}

/// Two colours that run into one another, in one of several manners, and the noise on them.
void paint_background(PictureScene& scene);

/// Blobs and strokes below the thing.
void paint_distractors(PictureScene& scene);

/// A large blob or bar beside the middle of the thing.
void paint_occluder(PictureScene& scene, const Placement& thing);

/// The camera: contrast, brightness, darker corners and grain, rounded to bytes.      -> rgb (size · size · 3)
void expose(PictureScene& scene, std::uint8_t* rgb);

/// A mask as 0 … 255, rounded.
std::vector<std::uint8_t> to_bytes(const Coverage& coverage);

}  // namespace vitrine
