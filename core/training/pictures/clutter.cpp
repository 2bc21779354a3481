#include "core/training/pictures/clutter.h"

namespace vitrine {

namespace {

constexpr bool within = true;

Pictogram a_ball(Random& random) {
    Pictogram p = {{Circle{{}, 0.8F}, Ink::main}};
    if (happens(random, 0.5F)) p.push_back({Box{{}, 0.78F, 0.16F, 0.1F}, Ink::second, within});
    return p;
}

Pictogram a_crate(Random& random) {
    const float tall = uniform(random, 0.5F, 0.8F);
    return {{Box{{}, 0.8F, tall, 0.03F}, Ink::main},
            {Segment{{-0.7F, 0.8F - 2 * tall * 0.5F}, {0.7F, -0.1F}, 0.06F}, Ink::second, within},
            {Box{{0, -tall + 0.1F}, 0.8F, 0.1F, 0}, Ink::second, within}};
}

Pictogram a_leaf(Random& random) {
    const float wide = uniform(random, 0.25F, 0.45F);
    return {{ellipse({}, 0.8F, wide), Ink::main}, {Segment{{-0.95F, 0}, {0.6F, 0}, 0.035F}, Ink::second}};
}

Pictogram a_star(Random& random) {
    const float start = uniform(random);
    Pictogram p;
    for (int i = 0; i < 5; ++i) {
        const float turns = start + 0.2F * static_cast<float>(i);
        p.push_back({polygon({{0.85F * cosine(turns), 0.85F * sine(turns)},
                              {0.36F * cosine(turns + 0.13F), 0.36F * sine(turns + 0.13F)},
                              {0.36F * cosine(turns - 0.13F), 0.36F * sine(turns - 0.13F)}}),
                     Ink::main});
    }
    p.push_back({Circle{{}, 0.36F}, Ink::main});
    return p;
}

Pictogram a_wheel(Random& random) {
    const float hub = uniform(random, 0.25F, 0.45F);
    return {{Circle{{}, 0.8F}, Ink::dark}, {Circle{{}, hub}, Ink::light, within}};
}

Pictogram a_cone(Random&) {
    return {{polygon({{-0.45F, 0.6F}, {0, -0.8F}, {0.45F, 0.6F}}), Ink::main},
            {Box{{0, 0.66F}, 0.7F, 0.1F, 0.03F}, Ink::second},
            {Segment{{-0.26F, 0.1F}, {0.26F, 0.1F}, 0.09F}, Ink::light, within}};
}

Pictogram a_stick(Random& random) {
    const float bend = uniform(random, -0.3F, 0.3F);
    return {{Segment{{-0.9F, 0}, {0, bend}, 0.07F}, Ink::main}, {Segment{{0, bend}, {0.9F, 0}, 0.07F}, Ink::main}};
}

Pictogram a_stone(Random& random) {
    const float tall = uniform(random, 0.4F, 0.65F), lean = uniform(random, -0.2F, 0.2F);
    return {{polygon({{-0.7F, 0.4F}, {-0.5F + lean, -tall}, {0.3F + lean, -tall - 0.1F}, {0.75F, 0.1F}, {0.5F, 0.5F}},
                     0.12F),
             Ink::main}};
}

Pictogram a_ring(Random& random) {
    const float thick = uniform(random, 0.1F, 0.2F);
    return {{Ring{{}, 0.65F, thick}, Ink::main}};
}

Pictogram a_flag(Random&) {
    return {{Segment{{-0.5F, 0.95F}, {-0.5F, -0.9F}, 0.06F}, Ink::dark},
            {polygon({{-0.44F, -0.85F}, {0.75F, -0.5F}, {-0.44F, -0.1F}}), Ink::main}};
}

constexpr ClutterKind clutter_table[] = {{"ball", a_ball},   {"crate", a_crate}, {"leaf", a_leaf},   {"star", a_star},
                                         {"wheel", a_wheel}, {"cone", a_cone},   {"stick", a_stick}, {"stone", a_stone},
                                         {"ring", a_ring},   {"flag", a_flag}};

Placement anywhere(Random& random, float scale) {
    Placement p;
    p.scale = scale;
    p.centre.x = uniform(random);
    p.centre.y = uniform(random);
    const float turns = uniform(random);
    p.cos = cosine(turns);
    p.sin = sine(turns);
    p.mirror = happens(random, 0.5F) ? -1.0F : 1.0F;
    return p;
}

Pictogram any_clutter(Random& random) {
    const auto kinds = clutter_kinds();
    return kinds[static_cast<std::size_t>(choose(random, static_cast<int>(kinds.size())))].make(random);
}

/// Blades of grass that grow from below, in the coordinates of a square around the place.
Pictogram grass(Random& random) {
    Pictogram p;
    const int blades = 5 + choose(random, 6);
    for (int i = 0; i < blades; ++i) {
        const float x = uniform(random, -1, 1), lean = uniform(random, -0.35F, 0.35F);
        const float top = uniform(random, -0.4F, 0.5F), half = uniform(random, 0.04F, 0.08F);
        p.push_back({polygon({{x - half, 1.3F}, {x + lean, top}, {x + half, 1.3F}}, 0.02F), Ink::main});
    }
    return p;
}

Pictogram slats(Random& random) {
    Pictogram p;
    const float half = uniform(random, 0.07F, 0.13F), start = uniform(random, -0.9F, -0.5F);
    const int count = 2 + choose(random, 2);
    const float apart = uniform(random, 0.6F, 0.85F);
    for (int i = 0; i < count; ++i) {
        const float x = start + apart * static_cast<float>(i);
        p.push_back({Box{{x, 0}, half, 1.6F, 0.02F}, Ink::main});
    }
    return p;
}

}  // namespace

std::span<const ClutterKind> clutter_kinds() { return clutter_table; }

void paint_clutter(PictureScene& scene, const Light& light) {
    Random& random = scene.random;
    const Placement placement = anywhere(random, uniform(random, 0.035F, 0.095F));
    const Pictogram parts = any_clutter(random);
    const Look look = choose_look(scene);
    paint_parts(scene, light, parts, {placement, look, Depth::clutter});
}

void paint_before(PictureScene& scene, const Light& light, PlanePoint place, float reach) {
    Random& random = scene.random;
    const int kind = choose(random, 4);
    const float turns = uniform(random, -0.06F, 0.06F);
    Look look = choose_look(scene);
    look.shadow = false;
    Placement p;
    p.centre = place;
    p.scale = reach;
    p.cos = cosine(turns);
    p.sin = sine(turns);
    if (kind == 0) return paint_parts(scene, light, grass(random), {p, look, Depth::above});
    if (kind == 1) return paint_parts(scene, light, slats(random), {p, look, Depth::above});
    const Placement turned = anywhere(random, 0.62F * reach);
    p.scale = turned.scale;
    p.cos = turned.cos;
    p.sin = turned.sin;
    p.centre.x += uniform(random, -0.3F, 0.3F) * reach;
    p.centre.y += uniform(random, -0.3F, 0.3F) * reach;
    const Pictogram parts = any_clutter(random);
    paint_parts(scene, light, parts, {p, look, Depth::above});
}

}  // namespace vitrine
