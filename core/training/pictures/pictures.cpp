#include "core/training/pictures/pictures.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "core/training/pictures/picture_scene.h"
#include "core/training/pictures/picturebook.h"
#include "core/training/pictures/things.h"

namespace vitrine {

namespace {

PictureStyle style_of(Difficulty difficulty) {
    switch (difficulty) {
        case Difficulty::easy: return {0.16F, 0.34F, 0.03F, 0.0F, 0.02F, 0.5F, 1};
        case Difficulty::normal: return {0.07F, 0.30F, 0.0833F, 0.35F, 0.06F, 1.0F, 4};
        case Difficulty::hard: return {0.05F, 0.14F, 0.125F, 0.8F, 0.1F, 1.2F, 7};
    }
    return {};
}

struct Palette {
    Colour ink[4];  // by Ink
    Colour outline;
    float outline_width = 0;  // 0: none
};

/// Colours independent of the class that stand out from the background.
Palette choose_palette(Random& random, Colour background) {
    constexpr float contrast = 0.45F;
    Palette p;
    for (int attempt = 0; attempt < 8; ++attempt) {
        p.ink[0] = vivid(random);
        if (distance(p.ink[0], background) > contrast) break;
    }
    p.ink[1] = happens(random, 0.75F) ? vivid(random) : darken(p.ink[0], 0.6F);
    const Colour pale = from_hsv(uniform(random), 0.25F, 1);
    p.ink[2] = mix(pale, {1, 1, 1}, uniform(random, 0.3F, 0.9F));
    const Colour dark = from_hsv(uniform(random), 0.5F, 1);
    p.ink[3] = darken(dark, uniform(random, 0.1F, 0.25F));
    const int outline = choose(random, 10);
    p.outline = outline < 5 ? p.ink[3] : outline < 8 ? Colour{0.97F, 0.97F, 0.95F} : darken(p.ink[0], 0.45F);
    p.outline_width = happens(random, 0.85F) ? uniform(random, 0.035F, 0.075F) : 0;
    return p;
}

/// A placement for a pictogram that covers `area` of the picture, or less if half its side would exceed `widest`.
Placement choose_placement(PictureScene& scene, int kind, float area, float widest) {
    const float scale = std::min(std::sqrt(area / pictogram_area(kind)), widest);
    Placement p = random_placement(scene.random, scale, scene.style.turn, std::min(0.92F * scale, 0.5F));
    p.aspect = uniform(scene.random, 0.9F, 1.11F);
    return p;
}

void paint_pictogram(PictureScene& scene, const Placement& placement, int kind) {
    Random& random = scene.random;
    const Pictogram pictogram = make_pictogram(kind, random);
    const Palette palette = choose_palette(random, scene.background);
    const float shading = uniform(random, 0.3F, 1.0F);
    if (happens(random, 0.5F)) {  // a shadow, to the lower right
        Placement lower = placement;
        lower.centre.x += 0.05F * placement.scale;
        lower.centre.y += 0.07F * placement.scale;
        for (const PictogramPart& part : pictogram)
            if (!part.detail)
                for_covered_pixels(scene.painting, lower, part.shape, 0.03F,
                                   [&](std::size_t pixel, float covered, PlanePoint) {
                                       scene.painting.set(pixel, darken(scene.painting.at(pixel), 1 - 0.25F * covered));
                                   });
    }
    const auto lay = [&](std::size_t pixel, Colour colour, float covered) {
        scene.painting.set(pixel, mix(scene.painting.at(pixel), colour, covered));
        cover(scene.object, pixel, covered);
        uncover(scene.distractor, pixel, covered);
    };
    if (palette.outline_width > 0)
        for (const PictogramPart& part : pictogram)
            if (!part.detail)
                for_covered_pixels(
                    scene.painting, placement, part.shape, palette.outline_width,
                    [&](std::size_t pixel, float covered, PlanePoint) { lay(pixel, palette.outline, covered); });
    for (const PictogramPart& part : pictogram) {
        const Colour ink = palette.ink[static_cast<std::size_t>(part.ink)];
        for_covered_pixels(scene.painting, placement, part.shape, 0,
                           [&](std::size_t pixel, float covered, PlanePoint p) {
                               lay(pixel, darken(ink, 1 - shading * (0.22F * p.y + 0.08F * p.x)), covered);
                           });
    }
}

/// Two small things, far apart: the same kind twice, or two kinds. Returns the placement of the first.
Placement paint_pair(PictureScene& scene, bool alike) {
    Random& random = scene.random;
    const float turns = uniform(random), away = uniform(random, 0.24F, 0.3F);
    const int first = choose(random, pictogram_count);
    const int other = (first + 1 + choose(random, pictogram_count - 1)) % pictogram_count;
    Placement placements[2];
    for (int i = 0; i < 2; ++i) {
        const int kind = i == 0 || alike ? first : other;
        const float area = uniform(random, 0.055F, 0.085F), side = i == 0 ? 1.0F : -1.0F;
        placements[i] = choose_placement(scene, kind, area, 0.23F);
        placements[i].centre = {0.5F + side * away * cosine(turns), 0.5F + side * away * sine(turns)};
        paint_pictogram(scene, placements[i], kind);
    }
    return placements[0];
}

/// Paints the thing of a label; returns the placement for an occluder.
Placement paint_thing(PictureScene& scene, int label) {
    if (label >= alike_class) return paint_pair(scene, label == alike_class);
    const float area = uniform(scene.random, scene.style.least_area, scene.style.most_area);
    const int kind = label == nothing_class ? choose(scene.random, pictogram_count) : label;
    const Placement placement = choose_placement(scene, kind, area, 0.47F);
    if (label != nothing_class) paint_pictogram(scene, placement, kind);
    return placement;
}

/// All classes with equal probability, except that pairs come three times as often: relations are harder to learn.
int choose_label(Random& random, const PictureSet& set) {
    const ClassNumbers classes = class_numbers(set.scenes);
    const int singles = classes.nothing + 1;
    const int drawn = choose(random, set.pairs ? singles + 6 : singles);
    return drawn < singles ? drawn : classes.alike() + (drawn - singles) % 2;
}

/// A mixed set has five easy and six hard pictures in twenty; hard ones teach a model to be unsure.
Difficulty choose_difficulty(Random& random, const PictureSet& set) {
    if (!set.mixed) return set.difficulty;
    const int drawn = choose(random, 20);
    return drawn < 5 ? Difficulty::easy : drawn < 14 ? Difficulty::normal : Difficulty::hard;
}

enum class Masks { no, yes };

/// A scene before the camera, and its label.
struct Drawn {
    PictureScene scene;
    int label;
};
Drawn draw(const PictureRequest& request, Masks masks) {
    assert(request.size > 0);
    Random random(request.set.seed * 0xD1342543DE82EF95ULL + request.index * 0x2545F4914F6CDD1DULL);
    random = Random(random.next());
    const int label = choose_label(random, request.set);
    const Difficulty difficulty = choose_difficulty(random, request.set);
    const bool book = request.set.scenes == Scenes::picturebook;
    const PictureStyle style = book ? picturebook_style(difficulty) : style_of(difficulty);
    PictureScene scene{Painting(request.size), style, random, {}, {}, {}, {}};
    const int shown = request.label.value_or(label);
    const auto pixels = static_cast<std::size_t>(request.size) * static_cast<std::size_t>(request.size);
    if (masks == Masks::yes) scene.object = scene.distractor = scene.occluder = Coverage(pixels, 0.0F);

    if (book) {
        paint_picturebook(scene, difficulty, shown);
        return {std::move(scene), shown};
    }
    paint_background(scene);
    paint_distractors(scene);
    const Placement thing = paint_thing(scene, shown);
    if (happens(scene.random, scene.style.occlusion)) paint_occluder(scene, thing);
    return {std::move(scene), shown};
}

}  // namespace

Placement random_placement(Random& random, float scale, float turn, float margin) {
    Placement p;
    p.scale = scale;
    const float turns = uniform(random, -turn, turn);
    p.cos = cosine(turns);
    p.sin = sine(turns);
    p.centre.x = uniform(random, margin, 1 - margin);
    p.centre.y = uniform(random, margin, 1 - margin);
    p.mirror = happens(random, 0.5F) ? -1.0F : 1.0F;
    return p;
}

ClassNumbers class_numbers(Scenes scenes) { return {scenes == Scenes::picturebook ? thing_count : pictogram_count}; }

std::vector<std::string> picture_classes(bool pairs, Scenes scenes) {
    std::vector<std::string> names;
    for (int kind = 0; kind < class_numbers(scenes).nothing; ++kind) names.emplace_back(thing_kind(kind).name);
    names.emplace_back("nothing");
    if (pairs) names.insert(names.end(), {"two alike", "two different"});
    return names;
}

std::optional<PictureSet> set_with_classes(const std::vector<std::string>& labels) {
    for (const auto& [scenes, name] : scenes_names)
        for (const bool pairs : {false, true})
            if (labels == picture_classes(pairs, scenes)) return PictureSet{.pairs = pairs, .scenes = scenes};
    return std::nullopt;
}

int draw_pixels(const PictureRequest& request, std::uint8_t* rgb) {
    Drawn drawn = draw(request, Masks::no);
    expose(drawn.scene, rgb);
    return drawn.label;
}

DrawnPicture draw_picture(const PictureRequest& request) {
    Drawn drawn = draw(request, Masks::yes);
    DrawnPicture picture;
    picture.label = drawn.label;
    picture.image = {request.size, request.size, {}};
    picture.image.rgb.resize(drawn.scene.object.size() * 3);
    expose(drawn.scene, picture.image.rgb.data());
    picture.object = to_bytes(drawn.scene.object);
    picture.distractor = to_bytes(drawn.scene.distractor);
    picture.occluder = to_bytes(drawn.scene.occluder);
    return picture;
}

}  // namespace vitrine
