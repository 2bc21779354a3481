#include "core/training/pictures/picturebook.h"

#include <cmath>

#include "core/training/pictures/clutter.h"
#include "core/training/pictures/settings.h"
#include "core/training/pictures/things.h"

namespace vitrine {

namespace {

/// Parameters of a difficulty besides those of PictureStyle.
struct BookStyle {
    float least_area, most_area;  // of the thing, shares of the picture
    float turn, squeeze;          // largest rotation, in turns; largest stretch
    float hidden,
        tell_hidden;  // tell_hidden: probability of hiding the part that shows the class; hidden: else, any part
    float companion;  // probability of a small companion of another kind
    int least_clutter, most_clutter;
    float haze;   // probability of mist
    float beams;  // probability of beams of light or shade
};

BookStyle book_style(Difficulty difficulty) {
    switch (difficulty) {
        case Difficulty::easy: return {0.2F, 0.36F, 0.03F, 1.06F, 0.0F, 0.0F, 0.0F, 0, 1, 0.0F, 0.1F};
        case Difficulty::normal: return {0.11F, 0.34F, 0.08F, 1.2F, 0.3F, 0.1F, 0.25F, 1, 4, 0.16F, 0.25F};
        case Difficulty::hard: return {0.05F, 0.13F, 0.16F, 1.4F, 0.7F, 0.66F, 0.5F, 2, 6, 0.6F, 0.45F};
    }
    return {};
}

Light choose_light(Random& random) {
    const float turns = uniform(random, 0.55F, 0.95F), strength = uniform(random, 0.5F, 1.2F);  // from above
    return {{cosine(turns), sine(turns)}, strength};
}

Placement place_thing(PictureScene& scene, const BookStyle& style, int kind, float area) {
    Random& random = scene.random;
    const float scale = std::min(std::sqrt(area / thing_area(kind)), 0.48F);
    Placement p = random_placement(random, scale, style.turn, std::min(0.88F * scale, 0.5F));
    const float long_way = uniform(random, 1.0F, style.squeeze);
    p.aspect = happens(random, 0.5F) ? std::sqrt(long_way) : 1 / std::sqrt(long_way);
    return p;
}

void paint_thing_of(PictureScene& scene, const Light& light, int kind, const Placement& placement, Depth depth) {
    const Pictogram parts = thing_kind(kind).make(scene.random);
    const Look look = choose_look(scene);
    paint_parts(scene, light, parts, {placement, look, depth});
}

/// Converts a point in a thing's square to the picture.
PlanePoint in_picture(const Placement& p, PlanePoint q) {
    const float u = q.x * p.mirror * p.aspect, v = q.y / p.aspect;
    return {p.centre.x + p.scale * (p.cos * u - p.sin * v), p.centre.y + p.scale * (p.sin * u + p.cos * v)};
}

/// A small thing of another kind, away from the large one.
void paint_companion(PictureScene& scene, const Light& light, const BookStyle& style, int kind,
                     const Placement& large) {
    Random& random = scene.random;
    const int other = (kind + 1 + choose(random, thing_count - 1)) % thing_count;
    const float share = uniform(random, 0.1F, 0.2F);
    Placement p = place_thing(scene, style, other, 0.2F);
    p.scale = std::min(std::sqrt(share) * large.scale, 0.14F);
    const float x = uniform(random, 0.1F, 0.9F), y = uniform(random, 0.1F, 0.9F);
    p.centre = {x, y};
    // Moves it beside the large one if they would overlap.
    const float dx = x - large.centre.x, dy = y - large.centre.y, away = length(dx, dy) + 1e-3F;
    const float least = 0.95F * large.scale + 0.6F * p.scale;
    if (away < least) p.centre = {large.centre.x + dx / away * least, large.centre.y + dy / away * least};
    paint_thing_of(scene, light, other, p, Depth::clutter);
}

/// Two things far apart, of one kind or of two families.
void paint_two(PictureScene& scene, const Light& light, const BookStyle& style, bool alike) {
    constexpr int of_pairs[] = {0, 1, 5, 6, 7, 9, 11, 19};  // no two of them look similar
    constexpr int count = static_cast<int>(std::size(of_pairs));
    Random& random = scene.random;
    const float turns = uniform(random), away = uniform(random, 0.25F, 0.3F);
    const int first = choose(random, count), other = (first + 1 + choose(random, count - 1)) % count;
    for (int i = 0; i < 2; ++i) {
        const int kind = of_pairs[i == 0 || alike ? first : other];
        Placement p = place_thing(scene, style, kind, uniform(random, 0.07F, 0.1F));
        const float side = i == 0 ? 1.0F : -1.0F;
        p.scale = std::min(p.scale, 0.25F);
        p.centre = {0.5F + side * away * cosine(turns), 0.5F + side * away * sine(turns)};
        paint_thing_of(scene, light, kind, p, Depth::thing);
    }
}

/// One thing, perhaps with a small one beside it and something in front.
void paint_one(PictureScene& scene, const Light& light, const BookStyle& style, int kind) {
    Random& random = scene.random;
    const Placement p = place_thing(scene, style, kind, uniform(random, style.least_area, style.most_area));
    if (happens(random, style.companion)) paint_companion(scene, light, style, kind, p);
    paint_thing_of(scene, light, kind, p, Depth::thing);
    if (happens(random, style.tell_hidden)) {
        const Circle& tell = thing_kind(kind).tell;
        paint_before(scene, light, in_picture(p, tell.centre), 1.1F * tell.radius * p.scale);
    } else if (happens(random, style.hidden)) {
        const float turns = uniform(random), away = uniform(random, 0.3F, 0.8F);
        const PlanePoint q{away * cosine(turns), away * sine(turns)};
        paint_before(scene, light, in_picture(p, q), 0.5F * p.scale);
    }
}

/// Mist, the colour of the evening, and beams of light or shade over the whole picture.
void paint_air(PictureScene& scene, const BookStyle& style, const Light& light) {
    Random& random = scene.random;
    const bool misty = happens(random, style.haze), striped = happens(random, style.beams);
    const float mist = uniform(random, 0.2F, 0.5F), turns = uniform(random), wide = uniform(random, 1.2F, 3.5F);
    const Colour haze = any_colour(random, 0.25F);
    const float paint = uniform(random, 0, 0.18F), hue = uniform(random);
    const Colour tint = from_hsv(hue, paint, 1);
    const float phase = uniform(random), shade = uniform(random, 0.12F, 0.35F) * light.strength;
    const float cos = cosine(turns), sin = sine(turns);
    Painting& painting = scene.painting;
    for (int y = 0; y < painting.size(); ++y)
        for (int x = 0; x < painting.size(); ++x) {
            const std::size_t pixel = painting.index(x, y);
            Colour c = painting.at(pixel);
            c = {c.r * tint.r, c.g * tint.g, c.b * tint.b};
            if (striped) {
                const float wave = sine((cos * painting.place(x) + sin * painting.place(y)) * wide + phase);
                c = darken(c, 1 - shade * clamp_to_unit(0.5F + 5 * wave));
            }
            if (misty) c = mix(c, haze, mist);
            painting.set(pixel, c);
        }
}

}  // namespace

PictureStyle picturebook_style(Difficulty difficulty) {
    const BookStyle b = book_style(difficulty);
    const float grain = difficulty == Difficulty::easy ? 0.02F : difficulty == Difficulty::normal ? 0.05F : 0.1F;
    return {b.least_area,  b.most_area, b.turn, b.hidden, grain, difficulty == Difficulty::easy ? 0.6F : 1.0F,
            b.most_clutter};
}

void paint_picturebook(PictureScene& scene, Difficulty difficulty, int label) {
    Random& random = scene.random;
    const BookStyle style = book_style(difficulty);
    const Light light = choose_light(random);
    const auto where = settings();
    where[static_cast<std::size_t>(choose(random, static_cast<int>(where.size())))].paint(scene, light);
    const int clutter = style.least_clutter + choose(random, style.most_clutter - style.least_clutter + 1);
    for (int i = 0; i < clutter; ++i) paint_clutter(scene, light);
    if (label < thing_count)
        paint_one(scene, light, style, label);
    else if (label > thing_count)
        paint_two(scene, light, style, label == thing_count + 1);
    else if (happens(random, style.hidden)) {
        const float x = uniform(random), y = uniform(random);
        paint_before(scene, light, {x, y}, 0.15F);
    }
    paint_air(scene, style, light);
}

}  // namespace vitrine
