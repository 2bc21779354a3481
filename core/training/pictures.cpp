#include "core/training/pictures.h"

#include <algorithm>
#include <cassert>

#include "core/training/painting.h"

namespace vitrine {

namespace {

/// What a difficulty means. Areas are shares of the picture.
struct Style {
    float least_area, most_area;
    float turn;       // largest, in turns
    float occlusion;  // probability that something lies over the thing
    float grain;      // largest standard deviation of the pixels' noise
    float texture;    // of the background
    int distractors;  // at most; at least one
};

Style style_of(Difficulty difficulty) {
    switch (difficulty) {
        case Difficulty::easy: return {0.16F, 0.34F, 0.03F, 0.0F, 0.02F, 0.5F, 1};
        case Difficulty::normal: return {0.07F, 0.30F, 0.0833F, 0.35F, 0.06F, 1.0F, 4};
        case Difficulty::hard: return {0.05F, 0.14F, 0.125F, 0.8F, 0.1F, 1.2F, 7};
    }
    return {};
}

/// The picture while it comes about, and what of it is thing and distractor.
struct Scene {
    Painting painting;
    Style style;
    Random random;
    Coverage object, distractor, occluder;  // empty where nobody asks
    Colour background;                      // its middle, for contrast
};

void cover(Coverage& what, std::size_t pixel, float covered) {
    if (!what.empty()) what[pixel] += (1 - what[pixel]) * covered;
}
void uncover(Coverage& what, std::size_t pixel, float covered) {
    if (!what.empty()) what[pixel] *= 1 - covered;
}

Colour vivid(Random& random, float hue) {
    const float saturation = uniform(random, 0.55F, 0.95F);
    const float value = uniform(random, 0.65F, 1.0F);
    return from_hsv(hue, saturation, value);
}

Colour vivid(Random& random) {
    const float hue = uniform(random);
    return vivid(random, hue);
}

Colour any_colour(Random& random, float most_saturation) {
    const float hue = uniform(random), saturation = uniform(random, 0, most_saturation);
    const float value = uniform(random, 0.2F, 1.0F);
    return from_hsv(hue, saturation, value);
}

// ---- background ---------------------------------------------------------------------------------------------------

/// Everything random about a background, drawn in one fixed order.
struct Backdrop {
    enum Kind { slope, glow, clouds, stripes, dots, checks, horizon, mixed };
    static constexpr int kinds = 8;
    Kind kind;
    std::uint32_t seed;
    float cos, sin, frequency, phase, grid;
    PlanePoint centre;
    float height;
    float tint;
};

Backdrop choose_backdrop(Random& random, const Style& style) {
    Backdrop b{};
    b.kind = static_cast<Backdrop::Kind>(choose(random, Backdrop::kinds));
    b.seed = static_cast<std::uint32_t>(random.next());
    const float turns = uniform(random);
    b.cos = cosine(turns);
    b.sin = sine(turns);
    b.frequency = uniform(random, 2.5F, 7.0F);
    b.phase = uniform(random);
    b.centre.x = uniform(random, 0.2F, 0.8F);
    b.centre.y = uniform(random, 0.2F, 0.8F);
    b.height = uniform(random, 0.45F, 0.75F);
    b.grid = uniform(random, 2, 6);
    b.tint = uniform(random, 0.35F, 1.0F) * style.texture;
    return b;
}

/// The share of the background's second colour along a row at height v; `clouds` are the heights of this kind's own
/// noise there.
void read_backdrop(const Backdrop& b, const Painting& painting, float v, const std::vector<float>& clouds,
                   std::vector<float>& out) {
    const auto for_row = [&](auto f) {
        for (int x = 0; x < painting.size(); ++x) out[static_cast<std::size_t>(x)] = f(painting.place(x));
    };
    const auto slope = [&](float u) { return clamp_to_unit(0.5F + (u - 0.5F) * b.cos + (v - 0.5F) * b.sin); };
    switch (b.kind) {
        case Backdrop::slope: return for_row(slope);
        case Backdrop::glow:
            return for_row([&](float u) { return clamp_to_unit(1.3F * length(u - b.centre.x, v - b.centre.y)); });
        case Backdrop::clouds:
            for (std::size_t i = 0; i < out.size(); ++i) out[i] = clamp_to_unit((clouds[i] - 0.5F) * 2 + 0.5F);
            return;
        case Backdrop::stripes:
            return for_row([&](float u) {
                return clamp_to_unit(0.5F + sine((u * b.cos + v * b.sin) * b.frequency + b.phase)) * b.tint;
            });
        case Backdrop::dots:
            return for_row([&](float u) {
                const float x = u * b.frequency * 1.3F + b.phase, y = v * b.frequency * 1.3F + b.phase;
                const float dx = x - std::floor(x) - 0.5F, dy = y - std::floor(y) - 0.5F;
                return clamp_to_unit((0.3F - length(dx, dy)) * 8) * b.tint;
            });
        case Backdrop::checks:
            return for_row([&](float u) {
                const float along = (u * b.cos + v * b.sin) * 0.64F, across = (v * b.cos - u * b.sin) * 0.64F;
                const float wave = sine(along * b.frequency + b.phase) * sine(across * b.frequency);
                return clamp_to_unit(wave * 4 + 0.5F) * b.tint;
            });
        case Backdrop::horizon:
            for (std::size_t i = 0; i < out.size(); ++i) {
                const float line = b.height + 0.06F * (clouds[i] - 0.5F);
                out[i] = v < line ? 0.35F * v / line : clamp_to_unit(0.8F + 0.3F * (v - line));
            }
            return;
        case Backdrop::mixed:
            for_row(slope);
            for (std::size_t i = 0; i < out.size(); ++i) out[i] = 0.7F * out[i] + 0.3F * clouds[i];
            return;
    }
}

void paint_background(Scene& scene) {
    Random& random = scene.random;
    const float hue = uniform(random), value = uniform(random, 0.25F, 0.95F);
    const float saturation = uniform(random, 0.05F, 0.5F);
    const float other_hue = hue + uniform(random, -0.15F, 0.15F), other_saturation = uniform(random, 0.05F, 0.5F);
    const float other_value = clamp_to_unit(value + uniform(random, -0.3F, 0.3F));
    const Colour a = from_hsv(hue, saturation, value), b = from_hsv(other_hue, other_saturation, other_value);
    const Backdrop backdrop = choose_backdrop(random, scene.style);
    const float strength = uniform(random, 0.06F, 0.32F) * scene.style.texture;

    const int size = scene.painting.size();
    ValueNoise coarse(9, 9, backdrop.seed + 3), fine(21, 21, backdrop.seed + 5);
    ValueNoise clouds(backdrop.grid, backdrop.kind == Backdrop::mixed ? backdrop.grid * 3 : backdrop.grid,
                      backdrop.seed);
    const bool cloudy =
        backdrop.kind == Backdrop::clouds || backdrop.kind == Backdrop::mixed || backdrop.kind == Backdrop::horizon;
    std::vector<float> coarse_row(static_cast<std::size_t>(size)), fine_row = coarse_row, cloud_row = coarse_row;
    std::vector<float> shares = coarse_row;
    coarse.prepare(size);
    fine.prepare(size);
    if (cloudy) clouds.prepare(size);
    for (int y = 0; y < size; ++y) {
        const float v = scene.painting.place(y);
        coarse.read_row(v, coarse_row);
        fine.read_row(v, fine_row);
        if (cloudy) clouds.read_row(backdrop.kind == Backdrop::horizon ? 0.5F : v, cloud_row);
        read_backdrop(backdrop, scene.painting, v, cloud_row, shares);
        const std::size_t first = scene.painting.index(0, y);
        for (std::size_t i = 0; i < shares.size(); ++i) {
            const float noise = (coarse_row[i] - 0.5F) * 0.6F + (fine_row[i] - 0.5F) * 0.4F;
            scene.painting.set(first + i, darken(mix(a, b, shares[i]), 1 + strength * noise));
        }
    }
    scene.background = mix(a, b, 0.5F);
}

// ---- blobs and strokes: distractors, and what lies over the thing
// -----------------------------------------------------

/// Whether paint is a distractor below the thing, or hides what is there.
enum class Layer { below, above };

void paint(Scene& scene, Layer layer, std::size_t pixel, Colour colour, float covered) {
    scene.painting.set(pixel, mix(scene.painting.at(pixel), colour, covered));
    if (layer == Layer::below) return cover(scene.distractor, pixel, covered);
    cover(scene.occluder, pixel, covered);
    uncover(scene.object, pixel, covered);
    uncover(scene.distractor, pixel, covered);
}

/// f(x, y) for the pixels within `reach` of a point.
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
void paint_blob(Scene& scene, Layer layer, const Blob& blob) {
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

void paint_stroke(Scene& scene, Layer layer, const Segment& line, Colour colour) {
    const float size = static_cast<float>(scene.painting.size());
    const PlanePoint middle{(line.from.x + line.to.x) / 2, (line.from.y + line.to.y) / 2};
    const float reach = length(line.to.x - line.from.x, line.to.y - line.from.y) / 2 + line.half_width + 1 / size;
    for_pixels_around(scene.painting, middle, reach, [&](int x, int y) {
        const PlanePoint p{scene.painting.place(x), scene.painting.place(y)};
        const float covered = clamp_to_unit(0.5F - distance(line, p) * size);
        if (covered > 0) paint(scene, layer, scene.painting.index(x, y), colour, covered);
    });
}

void paint_distractors(Scene& scene) {
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

/// A large blob or bar beside the middle of the thing.
void paint_occluder(Scene& scene, const Placement& thing) {
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

// ---- the thing
// --------------------------------------------------------------------------------------------------------

struct Palette {
    Colour ink[4];  // by Ink
    Colour outline;
    float outline_width = 0;  // 0: none
};

/// Colours that carry no class, but stand out from the background.
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

/// A placement of a pictogram that covers `area` of the picture, about as wide as its square at most `widest`.
Placement choose_placement(Scene& scene, int kind, float area, float widest) {
    Random& random = scene.random;
    Placement p;
    p.scale = std::min(std::sqrt(area / pictogram_area(kind)), widest);
    const float turns = uniform(random, -scene.style.turn, scene.style.turn);
    p.cos = cosine(turns);
    p.sin = sine(turns);
    const float margin = std::min(0.92F * p.scale, 0.5F);
    p.centre.x = uniform(random, margin, 1 - margin);
    p.centre.y = uniform(random, margin, 1 - margin);
    p.mirror = happens(random, 0.5F) ? -1.0F : 1.0F;
    p.aspect = uniform(random, 0.9F, 1.11F);
    return p;
}

void paint_pictogram(Scene& scene, const Placement& placement, int kind) {
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

/// Two small things, far apart: the same kind twice, or two kinds. Returns where the first lies.
Placement paint_pair(Scene& scene, bool alike) {
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

/// Paints what the label says; returns where an occluder would lie.
Placement paint_thing(Scene& scene, int label) {
    if (label >= alike_class) return paint_pair(scene, label == alike_class);
    const float area = uniform(scene.random, scene.style.least_area, scene.style.most_area);
    const int kind = label == nothing_class ? choose(scene.random, pictogram_count) : label;
    const Placement placement = choose_placement(scene, kind, area, 0.47F);
    if (label != nothing_class) paint_pictogram(scene, placement, kind);
    return placement;
}

// ---- the camera
// ---------------------------------------------------------------------------------------------------------

std::uint8_t to_byte(float value) {
    return static_cast<std::uint8_t>(static_cast<int>(clamp_to_unit(value) * 255 + 0.5F));
}

/// Contrast, brightness, darker corners and grain, rounded to bytes.
void expose(Scene& scene, std::uint8_t* rgb) {
    Random& random = scene.random;
    const float contrast = uniform(random, 0.85F, 1.1F), brightness = uniform(random, -0.06F, 0.06F);
    const float noisy = uniform(random), grain = noisy * noisy * scene.style.grain;
    const auto seed = static_cast<std::uint32_t>(random.next());
    const float vignette = uniform(random, 0, 0.25F);
    const int size = scene.painting.size();
    std::vector<float> light(static_cast<std::size_t>(size)), noise = light;
    std::vector<std::uint8_t> bytes(light.size());
    for (int y = 0; y < size; ++y) {
        const float v = scene.painting.place(y) - 0.5F;
        for (std::size_t x = 0; x < light.size(); ++x) {
            const float u = scene.painting.place(static_cast<int>(x)) - 0.5F;
            light[x] = 1 - vignette * 2 * (u * u + v * v);
            // Three uniform numbers from one hash; their sum has standard deviation 1/2.
            const std::uint32_t h = hash(static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y), seed);
            const std::uint32_t sum = (h & 1023) + ((h >> 10) & 1023) + ((h >> 20) & 1023);
            noise[x] = (static_cast<float>(static_cast<int>(sum)) / 1023.0F - 1.5F) * 2 * grain;
        }
        for (const float* const channel : scene.painting.row(y)) {
            for (std::size_t x = 0; x < light.size(); ++x)
                bytes[x] = to_byte(((channel[x] - 0.5F) * contrast + 0.5F + brightness) * light[x] + noise[x]);
            for (std::size_t x = 0; x < light.size(); ++x) rgb[3 * x] = bytes[x];
            ++rgb;
        }
        rgb += 3 * (size - 1);
    }
}

std::vector<std::uint8_t> to_bytes(const Coverage& coverage) {
    std::vector<std::uint8_t> bytes(coverage.size());
    std::transform(coverage.begin(), coverage.end(), bytes.begin(), to_byte);
    return bytes;
}

/// Every class as often as another, but pairs three times as often: relating is harder to learn than naming.
int choose_label(Random& random, const PictureSet& set) {
    constexpr int singles = nothing_class + 1;
    const int drawn = choose(random, set.pairs ? singles + 6 : singles);
    return drawn < singles ? drawn : alike_class + (drawn - singles) % 2;
}

enum class Masks { no, yes };

/// A scene before the camera, and its label.
struct Drawn {
    Scene scene;
    int label;
};
Drawn draw(const PictureRequest& request, Masks masks) {
    assert(request.size > 0);
    Random random(request.set.seed * 0xD1342543DE82EF95ULL + request.index * 0x2545F4914F6CDD1DULL);
    random = Random(random.next());
    const int label = choose_label(random, request.set);
    Scene scene{Painting(request.size), style_of(request.set.difficulty), random, {}, {}, {}, {}};
    const int shown = request.label.value_or(label);
    const auto pixels = static_cast<std::size_t>(request.size) * static_cast<std::size_t>(request.size);
    if (masks == Masks::yes) scene.object = scene.distractor = scene.occluder = Coverage(pixels, 0.0F);

    paint_background(scene);
    paint_distractors(scene);
    const Placement thing = paint_thing(scene, shown);
    if (happens(scene.random, scene.style.occlusion)) paint_occluder(scene, thing);
    return {std::move(scene), shown};
}

}  // namespace

std::vector<std::string> picture_classes(bool pairs) {
    std::vector<std::string> names = {"fish", "house", "tree", "boat",     "flower", "sun",    "cat",
                                      "car",  "mug",   "key",  "mushroom", "rocket", "nothing"};
    if (pairs) names.insert(names.end(), {"two alike", "two different"});
    return names;
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
