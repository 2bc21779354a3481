#include "core/training/pictures/brush.h"

#include <cmath>

namespace vitrine {

namespace {

Material choose_material(Random& random, float texture) {
    Material m;
    const bool patterned = happens(random, 0.6F);
    const int kind = 1 + choose(random, Material::kinds - 1);
    m.kind = patterned ? static_cast<Material::Kind>(kind) : Material::plain;
    m.seed = static_cast<std::uint32_t>(random.next());
    const float turns = uniform(random);
    m.cos = cosine(turns);
    m.sin = sine(turns);
    m.frequency = uniform(random, 2.0F, 5.0F);
    m.strength = uniform(random, 0.12F, 0.4F) * texture;
    return m;
}

float cell(float x) { return x - std::floor(x) - 0.5F; }

/// Darkness of a pattern at a point of its thing, 0 … 1.
float pattern_at(const Material& m, PlanePoint p) {
    const float u = (m.cos * p.x + m.sin * p.y) * m.frequency, v = (m.cos * p.y - m.sin * p.x) * m.frequency;
    switch (m.kind) {
        case Material::plain: return 0;
        case Material::stripes: return clamp_to_unit(0.5F + 4 * (std::fabs(cell(u)) - 0.25F) * m.frequency);
        case Material::dots: return clamp_to_unit((0.28F - length(cell(u), cell(v))) * 10);
        case Material::grain: return noise_at(u * 0.7F, v * 5, m.seed);
        case Material::speckle: return noise_at(u * 3, v * 3, m.seed);
        case Material::checks: return cell(u) * cell(v) > 0 ? 1.0F : 0.0F;
    }
    return 0;
}

void mark(PictureScene& scene, Depth depth, std::size_t pixel, float covered) {
    if (depth == Depth::thing) {
        cover(scene.object, pixel, covered);
        uncover(scene.distractor, pixel, covered);
    } else if (depth == Depth::clutter) {
        cover(scene.distractor, pixel, covered);
        uncover(scene.object, pixel, covered);
    } else {
        cover(scene.occluder, pixel, covered);
        uncover(scene.object, pixel, covered);
        uncover(scene.distractor, pixel, covered);
    }
}

/// A soft shadow: two dark layers offset away from the light.
void paint_shadow(PictureScene& scene, const Light& light, const Pictogram& parts, const Placement& placement) {
    Placement fallen = placement;
    fallen.centre.x -= 0.11F * placement.scale * light.from.x;
    fallen.centre.y -= 0.11F * placement.scale * light.from.y;
    for (const float grow : {0.06F, 0.0F})
        for (const PictogramPart& part : parts)
            if (!part.detail)
                for_covered_pixels(scene.painting, fallen, part.shape, grow,
                                   [&](std::size_t pixel, float covered, PlanePoint) {
                                       const float dark = 0.12F * light.strength * covered;
                                       scene.painting.set(pixel, darken(scene.painting.at(pixel), 1 - dark));
                                   });
}

/// The light's direction in the coordinates of a turned and mirrored thing.
PlanePoint seen_from(const Placement& p, PlanePoint from) {
    return {(p.cos * from.x + p.sin * from.y) * p.mirror, p.cos * from.y - p.sin * from.x};
}

}  // namespace

float noise_at(float x, float y, std::uint32_t seed) {
    const float left = std::floor(x), top = std::floor(y);
    const auto column = static_cast<std::uint32_t>(static_cast<std::int32_t>(left));
    const auto row = static_cast<std::uint32_t>(static_cast<std::int32_t>(top));
    const auto corner = [&](std::uint32_t right, std::uint32_t down) {
        return static_cast<float>(hash(column + right, row + down, seed) >> 8) * 0x1.0p-24F;
    };
    float s = x - left, t = y - top;
    s = s * s * (3 - 2 * s);
    t = t * t * (3 - 2 * t);
    const float a = corner(0, 0), b = corner(1, 0), c = corner(0, 1), d = corner(1, 1);
    const float upper = a + (b - a) * s, lower = c + (d - c) * s;
    return upper + (lower - upper) * t;
}

Look choose_look(PictureScene& scene) {
    constexpr float contrast = 0.42F;
    Random& random = scene.random;
    Look look;
    for (int attempt = 0; attempt < 8; ++attempt) {
        const bool bright = happens(random, 0.75F);
        look.ink[0] = bright ? vivid(random) : any_colour(random, 0.45F);
        if (distance(look.ink[0], scene.background) > contrast) break;
    }
    const bool two_tone = happens(random, 0.7F);
    const Colour other = vivid(random);
    look.ink[1] = two_tone ? other : darken(look.ink[0], 0.62F);
    const Colour pale = from_hsv(uniform(random), 0.25F, 1);
    look.ink[2] = mix(pale, {1, 1, 1}, uniform(random, 0.3F, 0.9F));
    const Colour dark = from_hsv(uniform(random), 0.5F, 1);
    look.ink[3] = darken(dark, uniform(random, 0.1F, 0.25F));
    look.surface = choose_material(random, scene.style.texture);
    look.trim = choose_material(random, scene.style.texture);
    const int outline = choose(random, 10);
    look.outline = outline < 5 ? look.ink[3] : outline < 7 ? Colour{0.97F, 0.97F, 0.95F} : darken(look.ink[0], 0.45F);
    look.outline_width = happens(random, 0.6F) ? uniform(random, 0.025F, 0.06F) : 0;
    look.shadow = happens(random, 0.75F);
    return look;
}

void paint_parts(PictureScene& scene, const Light& light, const Pictogram& parts, const Stroke& stroke) {
    const Look& look = stroke.look;
    if (look.shadow) paint_shadow(scene, light, parts, stroke.placement);
    const auto lay = [&](std::size_t pixel, Colour colour, float covered) {
        scene.painting.set(pixel, mix(scene.painting.at(pixel), colour, covered));
        mark(scene, stroke.depth, pixel, covered);
    };
    if (look.outline_width > 0)
        for (const PictogramPart& part : parts)
            if (!part.detail)
                for_covered_pixels(
                    scene.painting, stroke.placement, part.shape, look.outline_width,
                    [&](std::size_t pixel, float covered, PlanePoint) { lay(pixel, look.outline, covered); });
    const PlanePoint from = seen_from(stroke.placement, light.from);
    for (const PictogramPart& part : parts) {
        const Colour ink = look.ink[static_cast<std::size_t>(part.ink)];
        const Bounds b = bounds(part.shape);
        const PlanePoint middle{0.5F * (b.left + b.right), 0.5F * (b.top + b.bottom)};
        const Material* const material = part.ink == Ink::main     ? &look.surface
                                         : part.ink == Ink::second ? &look.trim
                                                                   : nullptr;
        const bool patterned = material != nullptr && !part.detail && material->kind != Material::plain;
        for_covered_pixels(scene.painting, stroke.placement, part.shape, 0,
                           [&](std::size_t pixel, float covered, PlanePoint p) {
                               // Shading: the whole thing darkens away from the light, and each part a little by
                               // itself.
                               const float whole = from.x * p.x + from.y * p.y;
                               const float own = from.x * (p.x - middle.x) + from.y * (p.y - middle.y);
                               float bright = 0.94F + light.strength * (0.2F * whole + 0.22F * own);
                               if (patterned) bright *= 1 - material->strength * pattern_at(*material, p);
                               lay(pixel, darken(ink, bright), covered);
                           });
    }
}

}  // namespace vitrine
