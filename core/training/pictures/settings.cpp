#include "core/training/pictures/settings.h"

#include <cmath>

namespace vitrine {

namespace {

float smooth(float t) {
    const float s = clamp_to_unit(t);
    return s * s * (3 - 2 * s);
}

/// Paints every pixel with a function of its position.
template <class F>
void paint_all(PictureScene& scene, F colour_at) {
    const int size = scene.painting.size();
    for (int y = 0; y < size; ++y)
        for (int x = 0; x < size; ++x)
            scene.painting.set(scene.painting.index(x, y), colour_at(scene.painting.place(x), scene.painting.place(y)));
}

/// A colour around a hue, with random saturation and value.
Colour tone(Random& random, float hue, float spread, float value) {
    const float h = hue + uniform(random, -spread, spread), s = uniform(random, 0.15F, 0.55F);
    const float v = clamp_to_unit(value + uniform(random, -0.12F, 0.12F));
    return from_hsv(h, s, v);
}

/// A sky of two colours: by day, at dusk, under clouds.
struct Sky {
    Colour top, low;
    float clouds = 0;
    std::uint32_t seed = 0;

    Colour at(float u, float v) const {
        const Colour clear = mix(top, low, smooth(1.3F * v));
        if (clouds <= 0) return clear;
        const float n = 0.65F * noise_at(u * 4, v * 9, seed) + 0.35F * noise_at(u * 10, v * 20, seed + 1);
        return mix(clear, {0.97F, 0.97F, 0.98F}, clouds * smooth((n - 0.5F) * 4));
    }
};

Sky choose_sky(Random& random) {
    Sky sky;
    const bool dusk = happens(random, 0.35F);
    const float warm = happens(random, 0.5F) ? 0.05F : 0.9F;
    sky.top = tone(random, dusk ? 0.7F : 0.57F, 0.06F, dusk ? 0.5F : 0.75F);
    sky.low = tone(random, dusk ? warm : 0.55F, 0.06F, 0.9F);
    const bool cloudy = happens(random, 0.6F);
    sky.clouds = cloudy ? uniform(random, 0.4F, 0.9F) : 0;
    sky.seed = static_cast<std::uint32_t>(random.next());
    return sky;
}

/// Two rows of hills under a sky, with any ground: grass, sand, snow.
void paint_hills(PictureScene& scene, const Light& light) {
    Random& random = scene.random;
    const Sky sky = choose_sky(random);
    constexpr float hues[] = {0.28F, 0.1F, 0.58F, 0.36F};
    const float hue = hues[choose(random, 4)];
    const float value = uniform(random, 0.45F, 0.85F);
    const Colour far = tone(random, hue, 0.05F, value), near = tone(random, hue, 0.05F, value - 0.15F);
    const float first = uniform(random, 0.3F, 0.5F), second = first + uniform(random, 0.1F, 0.3F);
    const float rough = uniform(random, 0.1F, 0.5F) * scene.style.texture, wide = uniform(random, 1.5F, 4.0F);
    const auto seed = static_cast<std::uint32_t>(random.next());
    paint_all(scene, [&](float u, float v) {
        const float ridge = first + 0.22F * (noise_at(u * wide, 0.5F, seed) - 0.5F);
        const float hill = second + 0.2F * (noise_at(u * wide * 0.6F, 3.5F, seed) - 0.5F);
        if (v < ridge) return sky.at(u, v);
        const float blades = noise_at(u * 60, v * 22, seed + 2) - 0.5F, patches = noise_at(u * 6, v * 9, seed + 3);
        const float depth = v < hill ? v - ridge : v - hill;
        const float bright = 1 + rough * (0.5F * blades + 0.4F * (patches - 0.5F)) - 0.3F * light.strength * depth;
        return darken(v < hill ? mix(far, sky.low, 0.3F) : near, bright);
    });
    scene.background = mix(near, sky.low, 0.4F);
}

/// Water to the horizon, with waves that grow towards the viewer.
void paint_sea(PictureScene& scene, const Light& light) {
    Random& random = scene.random;
    const Sky sky = choose_sky(random);
    const Colour deep = tone(random, 0.55F, 0.07F, 0.5F);
    const float horizon = uniform(random, 0.2F, 0.45F), waves = uniform(random, 0.15F, 0.4F) * scene.style.texture;
    const float glint = uniform(random);
    const auto seed = static_cast<std::uint32_t>(random.next());
    paint_all(scene, [&](float u, float v) {
        if (v < horizon) return sky.at(u, v);
        const float depth = (v - horizon) / (1 - horizon);
        const float near = 1 / (0.12F + depth);  // perspective: distant waves lie closer together
        const float wave = noise_at(u * 4 * near, 9 * near, seed) + 0.6F * noise_at(u * 9 * near, 19 * near, seed + 1);
        const float away = std::fabs(u - glint) * (1.5F + 2 * depth);
        const float shine = light.strength * 0.35F * clamp_to_unit(1 - 2.5F * away);
        return mix(darken(mix(sky.low, deep, smooth(0.25F + 1.2F * depth)), 1 + waves * (wave - 0.8F)), {1, 1, 0.95F},
                   shine * smooth(2 * wave - 1));
    });
    scene.background = mix(deep, sky.low, 0.35F);
}

/// A papered wall over a floor of boards, lit from one side.
void paint_room(PictureScene& scene, const Light& light) {
    Random& random = scene.random;
    const Colour wall = any_colour(random, 0.4F), paper = mix(wall, any_colour(random, 0.4F), 0.35F);
    const Colour board = tone(random, 0.08F, 0.03F, 0.5F);
    const float edge = uniform(random, 0.6F, 0.82F), frequency = uniform(random, 4, 11);
    const int kind = choose(random, 4);
    const float strength = uniform(random, 0.4F, 1.0F) * scene.style.texture;
    const auto seed = static_cast<std::uint32_t>(random.next());
    const auto cell = [](float x) { return x - std::floor(x) - 0.5F; };
    paint_all(scene, [&](float u, float v) {
        const float lit = 1 + light.strength * 0.3F * (light.from.x * (u - 0.5F) + 0.5F * light.from.y * (v - 0.5F));
        if (v > edge) {
            const float across = (u - 0.5F) / (0.5F + v - edge) * 5 + 20;
            const float joint = clamp_to_unit((0.48F - std::fabs(cell(across))) * 30);
            const float grain = noise_at(across * 4, v * 9, seed) - 0.5F;
            const float own = noise_at(std::floor(across) * 3.7F, 0.5F, seed + 1) - 0.5F;
            return darken(board, lit * (0.7F + 0.3F * joint) * (1 + 0.25F * grain + 0.25F * own));
        }
        if (v > edge - 0.035F) return darken(mix(paper, {1, 1, 1}, 0.4F), lit);
        const float x = u * frequency, y = v * frequency;
        const float shape = kind == 0   ? clamp_to_unit((0.25F - std::fabs(cell(x))) * 12)
                            : kind == 1 ? clamp_to_unit((0.2F - length(cell(x), cell(y))) * 12)
                            : kind == 2 ? clamp_to_unit((0.3F - std::fabs(cell(x)) - std::fabs(cell(y))) * 8)
                                        : 0;
        return darken(mix(wall, paper, strength * shape), lit * (0.97F + 0.06F * noise_at(u * 25, v * 25, seed)));
    });
    scene.background = mix(wall, paper, 0.3F);
}

/// A table top from above: planks, or a chequered cloth.
void paint_table(PictureScene& scene, const Light& light) {
    Random& random = scene.random;
    const bool cloth = happens(random, 0.45F);
    const Colour ground = cloth ? any_colour(random, 0.5F) : tone(random, 0.08F, 0.04F, 0.6F);
    const Colour second = cloth ? mix(ground, {1, 1, 1}, uniform(random, 0.3F, 0.7F)) : darken(ground, 0.65F);
    const float turns = uniform(random, -0.1F, 0.1F), cos = cosine(turns), sin = sine(turns);
    const float frequency = cloth ? uniform(random, 3, 8) : uniform(random, 2, 5);
    const float strength = uniform(random, 0.5F, 1.0F) * scene.style.texture;
    const auto seed = static_cast<std::uint32_t>(random.next());
    const auto band = [](float x) { return x - std::floor(x) < 0.5F ? 0.5F : 0.0F; };
    const float shade = 0.35F * light.strength;
    paint_all(scene, [&](float u, float v) {
        const float x = (cos * u + sin * v + 1) * frequency, y = (cos * v - sin * u + 1) * frequency;
        const float lit = 1 + shade * (light.from.x * (u - 0.5F) + light.from.y * (v - 0.5F));
        if (cloth) {
            const float weave = 0.05F * (noise_at(u * 70, v * 70, seed) - 0.5F);
            return darken(mix(ground, second, clamp_to_unit(strength * (band(x) + band(y)))), lit + weave);
        }
        const float plank = std::floor(y), along = noise_at(x * 0.8F, y * 7 + 3 * plank, seed);
        const float rings = noise_at(x * 0.5F + plank * 5, y * 20, seed + 1);
        const float joint = clamp_to_unit((y - plank) * 25);
        return darken(mix(ground, second, strength * clamp_to_unit(0.7F * along + 0.4F * rings - 0.25F)),
                      lit * (0.65F + 0.35F * joint));
    });
    scene.background = mix(ground, second, 0.4F);
}

/// Stars over dark hills.
void paint_night(PictureScene& scene, const Light&) {
    Random& random = scene.random;
    const float top_light = uniform(random, 0.08F, 0.22F), top_hue = uniform(random, 0.58F, 0.75F);
    const float low_light = uniform(random, 0.25F, 0.5F), low_hue = uniform(random, 0.55F, 0.95F);
    const Colour top = from_hsv(top_hue, 0.7F, top_light), low = from_hsv(low_hue, 0.5F, low_light);
    const float hill = uniform(random, 0.65F, 0.9F), many = uniform(random, 0.85F, 0.96F);
    const auto seed = static_cast<std::uint32_t>(random.next());
    paint_all(scene, [&](float u, float v) {
        const float ridge = hill + 0.2F * (noise_at(u * 3, 0.5F, seed) - 0.5F);
        if (v > ridge) return darken(top, 0.8F + 0.5F * (v - ridge));
        const float x = u * 22, y = v * 22, column = std::floor(x), row = std::floor(y);
        const std::uint32_t star = hash(static_cast<std::uint32_t>(column), static_cast<std::uint32_t>(row), seed);
        const Colour dark = mix(top, low, smooth(v / hill));
        if (static_cast<float>(star >> 8) * 0x1.0p-24F < many) return dark;
        const float size = 0.1F + static_cast<float>(star & 255U) * 0.0008F;
        return mix(dark, {1, 1, 0.9F}, clamp_to_unit((size - length(x - column - 0.5F, y - row - 0.5F)) * 8));
    });
    scene.background = mix(top, low, 0.5F);
}

/// Rows of trunks in the mist.
void paint_forest(PictureScene& scene, const Light& light) {
    Random& random = scene.random;
    const float hue = uniform(random, 0.15F, 0.45F);
    const Colour mist = tone(random, hue, 0.1F, 0.8F), wood = tone(random, hue - 0.08F, 0.05F, 0.4F);
    const Colour moss = tone(random, 0.28F, 0.06F, 0.45F);
    const float ground = uniform(random, 0.65F, 0.85F), rough = 0.5F * scene.style.texture;
    const auto seed = static_cast<std::uint32_t>(random.next());
    paint_all(scene, [&](float u, float v) {
        const float leaves = noise_at(u * 14, v * 14, seed) - 0.5F;
        if (v > ground + 0.05F * leaves)
            return darken(moss, 1 + rough * (leaves + 0.5F * (noise_at(u * 50, v * 30, seed + 1) - 0.5F)));
        Colour c = darken(mist, 1.05F - 0.3F * v + 0.2F * rough * leaves);
        for (const float layer : {0.0F, 1.0F, 2.0F}) {
            const float x = u * (13 - 3 * layer) + 0.35F * noise_at(u * 2, v * 3, seed + 5), trunk = std::floor(x);
            const float own = noise_at(trunk * 2.7F + 0.4F, layer * 3.3F, seed + 2);
            const float wide = 0.04F + 0.26F * own;
            const float there = own < 0.42F ? 0.0F : clamp_to_unit((wide - std::fabs(x - trunk - 0.5F)) * 9);
            const float lit = 1 + light.strength * 0.8F * light.from.x * (x - trunk - 0.5F);
            c = mix(c, mix(mist, darken(wood, lit), 0.35F + 0.22F * layer), there);
        }
        return c;
    });
    scene.background = mix(mist, wood, 0.3F);
}

/// Lights out of focus.
void paint_lights(PictureScene& scene, const Light&) {
    Random& random = scene.random;
    const float hue = uniform(random);
    const Colour dark = from_hsv(hue, 0.5F, uniform(random, 0.12F, 0.4F));
    const Colour glow = from_hsv(hue + uniform(random, -0.2F, 0.2F), 0.5F, 0.9F);
    constexpr int most = 9;
    PlanePoint centres[most];
    float radii[most];
    for (int i = 0; i < most; ++i) {
        centres[i].x = uniform(random);
        centres[i].y = uniform(random);
        radii[i] = uniform(random, 0.04F, 0.14F);
    }
    paint_all(scene, [&](float u, float v) {
        float light = 0.25F * v;
        for (int i = 0; i < most; ++i)
            light += 0.22F * clamp_to_unit((radii[i] - length(u - centres[i].x, v - centres[i].y)) * 30);
        return mix(dark, glow, clamp_to_unit(light));
    });
    scene.background = mix(dark, glow, 0.25F);
}

/// Roofs of a distant town, flat against the sky.
void paint_town(PictureScene& scene, const Light&) {
    Random& random = scene.random;
    const Sky sky = choose_sky(random);
    const Colour far = mix(sky.low, tone(random, 0.65F, 0.1F, 0.4F), 0.5F), street = tone(random, 0.1F, 0.1F, 0.5F);
    const float ground = uniform(random, 0.6F, 0.8F), columns = uniform(random, 6, 12);
    const auto seed = static_cast<std::uint32_t>(random.next());
    paint_all(scene, [&](float u, float v) {
        if (v > ground) return darken(street, 1 + 0.25F * (noise_at(u * 30, v * 60, seed + 3) - 0.5F));
        const float x = u * columns, house = std::floor(x);
        const float top = ground - 0.1F - 0.25F * noise_at(house * 2.3F + 0.5F, 0.5F, seed);
        if (v < top) return sky.at(u, v);
        const float shade = 0.9F + 0.2F * noise_at(house * 3.1F + 0.5F, 7.5F, seed);
        const float wx = (x - house) * 4, wy = (v - top) * 40;
        const bool window = wx - std::floor(wx) > 0.6F && wy - std::floor(wy) > 0.5F;
        return darken(window ? mix(far, sky.low, 0.4F) : far, shade);
    });
    scene.background = mix(far, sky.low, 0.5F);
}

/// The backgrounds of pictograms: slopes, stripes, dots, checks, noise.
void paint_paper(PictureScene& scene, const Light&) { paint_background(scene); }

constexpr Setting table[] = {{"paper", paint_paper},   {"hills", paint_hills},   {"sea", paint_sea},
                             {"room", paint_room},     {"table", paint_table},   {"night", paint_night},
                             {"forest", paint_forest}, {"lights", paint_lights}, {"town", paint_town}};

}  // namespace

std::span<const Setting> settings() { return table; }

}  // namespace vitrine
