#include <cmath>
#include <vector>

#include "core/training/pictures/picture_scene.h"

namespace vitrine {

namespace {

/// The random parameters of a background, drawn in a fixed order.
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

Backdrop choose_backdrop(Random& random, const PictureStyle& style) {
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

/// Writes the share of the background's second colour along a row at height v; `clouds` are noise values along the row,
/// which some kinds of background use.
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

}  // namespace

void paint_background(PictureScene& scene) {
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

}  // namespace vitrine
