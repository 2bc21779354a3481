#include <algorithm>

#include "core/training/pictures/picture_scene.h"

namespace vitrine {

namespace {

/// The layer of paint: below the thing it is a distractor, above the thing it hides what it covers.
enum class Layer { below, above };

void paint(PictureScene& scene, Layer layer, std::size_t pixel, Colour colour, float covered) {
    scene.painting.set(pixel, mix(scene.painting.at(pixel), colour, covered));
    if (layer == Layer::below) return cover(scene.distractor, pixel, covered);
    cover(scene.occluder, pixel, covered);
    uncover(scene.object, pixel, covered);
    uncover(scene.distractor, pixel, covered);
}

/// Calls f(x, y) for the pixels within `reach` of a point.
template <class F>
void for_pixels_around(const Painting& painting, PlanePoint centre, float reach, F f) {
    const float size = static_cast<float>(painting.size());
    const auto pixel = [&](float place) { return static_cast<int>(std::min(std::max(place * size, 0.0F), size - 1)); };
    for (int y = pixel(centre.y - reach); y <= pixel(centre.y + reach); ++y)
        for (int x = pixel(centre.x - reach); x <= pixel(centre.x + reach); ++x) f(x, y);
}

struct Blob {
    PlanePoint centre;
    float radius = 0;
    Colour colour;
    float opacity = 1;
};

/// A disc with a wavy rim, flattened and turned.
void paint_blob(PictureScene& scene, Layer layer, const Blob& blob) {
    Random& random = scene.random;
    const float wave2 = uniform(random, 0, 0.25F), wave3 = uniform(random, 0, 0.2F);
    const float phase2 = uniform(random), phase3 = uniform(random);
    const float flat = uniform(random, 0.6F, 1.0F), turns = uniform(random);
    const float cos = cosine(turns), sin = sine(turns);
    const float cos2 = cosine(phase2), sin2 = sine(phase2), cos3 = cosine(phase3), sin3 = sine(phase3);
    const float size = static_cast<float>(scene.painting.size());
    const Colour shade = darken(blob.colour, 0.75F);
    for_pixels_around(scene.painting, blob.centre, 1.5F * blob.radius + 1 / size, [&](int x, int y) {
        const float dx = scene.painting.place(x) - blob.centre.x, dy = scene.painting.place(y) - blob.centre.y;
        const float u = cos * dx + sin * dy, v = (cos * dy - sin * dx) / flat;
        const float away = length(u, v);
        // cos 2θ and cos 3θ of the direction, from its cosine and sine.
        const float c = away > 0 ? u / away : 1, s = away > 0 ? v / away : 0;
        const float c2 = c * c - s * s, s2 = 2 * c * s, c3 = c2 * c - s2 * s, s3 = s2 * c + c2 * s;
        const float rim = blob.radius * (1 + wave2 * (c2 * cos2 - s2 * sin2) + wave3 * (c3 * cos3 - s3 * sin3));
        const float covered = clamp_to_unit(0.5F + (rim - away) * size / 1.2F) * blob.opacity;
        if (covered > 0)
            paint(scene, layer, scene.painting.index(x, y),
                  mix(blob.colour, shade, clamp_to_unit(0.5F + dy / (2 * blob.radius))), covered);
    });
}

void paint_stroke(PictureScene& scene, Layer layer, const Segment& line, Colour colour) {
    const float size = static_cast<float>(scene.painting.size());
    const PlanePoint middle{(line.from.x + line.to.x) / 2, (line.from.y + line.to.y) / 2};
    const float reach = length(line.to.x - line.from.x, line.to.y - line.from.y) / 2 + line.half_width + 1 / size;
    for_pixels_around(scene.painting, middle, reach, [&](int x, int y) {
        const PlanePoint p{scene.painting.place(x), scene.painting.place(y)};
        const float covered = clamp_to_unit(0.5F - distance(line, p) * size);
        if (covered > 0) paint(scene, layer, scene.painting.index(x, y), colour, covered);
    });
}

}  // namespace

void paint_distractors(PictureScene& scene) {
    Random& random = scene.random;
    const int count = 1 + choose(random, scene.style.distractors);
    for (int i = 0; i < count; ++i) {
        const float x = uniform(random), y = uniform(random);
        const Colour colour = happens(random, 0.6F) ? vivid(random) : any_colour(random, 0.4F);
        if (happens(random, 0.72F)) {
            const float radius = uniform(random, 0.03F, 0.09F), opacity = uniform(random, 0.6F, 1.0F);
            paint_blob(scene, Layer::below, {{x, y}, radius, colour, opacity});
        } else {
            const float turns = uniform(random), reach = uniform(random, 0.08F, 0.22F);
            const float half_width = uniform(random, 0.01F, 0.025F);
            paint_stroke(scene, Layer::below,
                         {{x, y}, {x + reach * cosine(turns), y + reach * sine(turns)}, half_width}, colour);
        }
    }
}

void paint_occluder(PictureScene& scene, const Placement& thing) {
    Random& random = scene.random;
    const float turns = uniform(random), cos = cosine(turns), sin = sine(turns);
    const Colour colour = happens(random, 0.5F) ? vivid(random) : any_colour(random, 0.3F);
    if (happens(random, 0.6F)) {
        const float away = uniform(random, 0.55F, 0.9F) * thing.scale;
        const float radius = uniform(random, 0.2F, 0.36F) * thing.scale;
        const PlanePoint centre{thing.centre.x + away * cos, thing.centre.y + away * sin};
        paint_blob(scene, Layer::above, {centre, radius, colour, 1});
    } else {
        const float away = uniform(random, 0.2F, 0.75F) * thing.scale, half = 1.3F * thing.scale;
        const float half_width = uniform(random, 0.05F, 0.12F) * thing.scale;
        const PlanePoint middle{thing.centre.x + away * cos, thing.centre.y + away * sin};
        paint_stroke(scene, Layer::above,
                     {{middle.x - half * sin, middle.y + half * cos},
                      {middle.x + half * sin, middle.y - half * cos},
                      half_width},
                     colour);
    }
}

}  // namespace vitrine
