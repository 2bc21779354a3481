#include "core/training/pictures/things.h"

#include <array>

namespace vitrine {

namespace {

constexpr bool inside = true;  // a detail of the silhouette

template <int kind>
Pictogram as_pictogram(Random& random) {
    return make_pictogram(kind, random);
}

// ---- faces: cat, dog, rabbit; the ears differ -----------------------------------------------------------------------

void add_whiskers(Pictogram& p) {
    for (const float side : {-1.0F, 1.0F})
        for (const float row : {0.0F, 1.0F})
            p.push_back({Segment{{0.22F * side, 0.44F + 0.07F * row}, {0.62F * side, 0.36F + 0.2F * row}, 0.018F},
                         Ink::dark, inside});
}

void add_face(Pictogram& p, Random& random) {
    const float wide = uniform(random, 0.58F, 0.7F), tall = uniform(random, 0.5F, 0.6F);
    p.push_back({ellipse({0, 0.25F}, wide, tall), Ink::main});
    const bool patch = happens(random, 0.25F), muzzle = happens(random, 0.5F), whiskers = happens(random, 0.5F);
    const float apart = uniform(random, 0.24F, 0.3F), eye = uniform(random, 0.09F, 0.13F);
    const bool slit = happens(random, 0.3F), pointed = happens(random, 0.5F);
    if (patch) p.push_back({ellipse({apart, 0.1F}, 0.2F, 0.22F), Ink::second, inside});
    if (muzzle) p.push_back({ellipse({0, 0.48F}, 0.32F, 0.23F), Ink::light, inside});
    for (const float side : {-1.0F, 1.0F}) {
        p.push_back({Circle{{apart * side, 0.12F}, eye}, Ink::light, inside});
        p.push_back({ellipse({apart * side, 0.13F}, slit ? 0.045F : 0.07F, 0.09F), Ink::dark, inside});
    }
    if (pointed)
        p.push_back({polygon({{-0.09F, 0.34F}, {0.09F, 0.34F}, {0, 0.44F}}, 0.03F), Ink::dark, inside});
    else
        p.push_back({ellipse({0, 0.38F}, 0.11F, 0.075F), Ink::dark, inside});
    p.push_back({Segment{{0, 0.42F}, {-0.12F, 0.56F}, 0.022F}, Ink::dark, inside});
    p.push_back({Segment{{0, 0.42F}, {0.12F, 0.56F}, 0.022F}, Ink::dark, inside});
    if (whiskers) add_whiskers(p);
}

Pictogram a_cat(Random& random) {
    const float tip = uniform(random, -0.86F, -0.66F), out = uniform(random, 0.5F, 0.64F);
    Pictogram p;
    for (const float side : {-1.0F, 1.0F}) {
        p.push_back({polygon({{0.62F * side, 0.08F}, {out * side, tip}, {0.08F * side, -0.26F}}), Ink::main});
        p.push_back({polygon({{0.5F * side, -0.14F}, {(out - 0.06F) * side, tip + 0.2F}, {0.26F * side, -0.26F}}),
                     Ink::second, inside});
    }
    add_face(p, random);
    return p;
}

Pictogram a_dog(Random& random) {
    const float wide = uniform(random, 0.17F, 0.23F), lift = uniform(random, -0.06F, 0.14F);
    const bool main = happens(random, 0.4F);
    Pictogram p;
    add_face(p, random);
    for (const float side : {-1.0F, 1.0F})
        p.push_back(
            {ellipse({0.64F * side, 0.16F - lift}, wide, 0.44F, -0.045F * side), main ? Ink::main : Ink::second});
    return p;
}

Pictogram a_rabbit(Random& random) {
    const float wide = uniform(random, 0.13F, 0.18F), lean = uniform(random, 0.01F, 0.06F);
    Pictogram p;
    for (const float side : {-1.0F, 1.0F}) {
        p.push_back({ellipse({0.29F * side, -0.5F}, wide, 0.48F, lean * side), Ink::main});
        p.push_back({ellipse({0.29F * side, -0.5F}, 0.5F * wide, 0.34F, lean * side), Ink::second, inside});
    }
    add_face(p, random);
    return p;
}

// ---- buildings: house, church; the spire differs --------------------------------------------------------------------

void add_walls(Pictogram& p, Random& random) {
    const float wide = uniform(random, 0.54F, 0.66F), peak = uniform(random, -0.62F, -0.42F);
    const bool two_windows = happens(random, 0.5F), round = happens(random, 0.4F);
    const float door = uniform(random, -0.3F, 0.1F);
    p.push_back({Box{{0, 0.42F}, wide, 0.42F, 0.02F}, Ink::main});
    p.push_back({polygon({{-wide - 0.16F, 0.04F}, {0, peak}, {wide + 0.16F, 0.04F}}), Ink::second});
    p.push_back({Box{{door, 0.58F}, 0.13F, 0.27F, round ? 0.1F : 0.02F}, Ink::dark, inside});
    for (const float x : {door + 0.36F, door - 0.3F}) {
        if (x < 0.14F - wide || (x < door && !two_windows)) continue;
        p.push_back({Box{{x, 0.36F}, 0.13F, 0.14F, round ? 0.12F : 0.01F}, Ink::light, inside});
        p.push_back({Segment{{x, 0.24F}, {x, 0.48F}, 0.016F}, Ink::dark, inside});
    }
    if (happens(random, 0.4F)) p.push_back({Circle{{0, 0.5F * peak}, 0.09F}, Ink::light, inside});
}

Pictogram a_house(Random& random) {
    const bool chimney = happens(random, 0.75F);
    const float side = happens(random, 0.5F) ? 1.0F : -1.0F, top = uniform(random, -0.72F, -0.5F);
    Pictogram p;
    if (chimney) p.push_back({Box{{0.4F * side, 0.5F * top}, 0.1F, -0.5F * top, 0.01F}, Ink::main});
    add_walls(p, random);
    return p;
}

Pictogram a_church(Random& random) {
    const float x = happens(random, 0.5F) ? 0.44F : -0.44F, wide = uniform(random, 0.15F, 0.2F);
    const float top = uniform(random, -0.48F, -0.3F), tip = uniform(random, -0.98F, -0.86F);
    const bool bell = happens(random, 0.7F);
    Pictogram p;
    add_walls(p, random);
    p.push_back({Box{{x, 0.42F + 0.5F * (top - 0.42F) + 0.21F}, wide, 0.21F + 0.5F * (0.42F - top), 0.01F}, Ink::main});
    p.push_back({polygon({{x - wide - 0.06F, top}, {x, tip}, {x + wide + 0.06F, top}}, 0.02F), Ink::second});
    if (bell) p.push_back({Circle{{x, top + 0.22F}, 0.08F}, Ink::dark, inside});
    return p;
}

// ---- on water: boat, ship; sails or funnels differ -----------------------------------------------------------------

void add_hull(Pictogram& p, Random& random) {
    const float deck = uniform(random, 0.3F, 0.4F), bow = uniform(random, 0.5F, 0.68F);
    const bool line = happens(random, 0.6F), portholes = happens(random, 0.5F);
    p.push_back({polygon({{-0.86F, deck}, {0.9F, deck - 0.04F}, {bow, 0.8F}, {-0.6F, 0.8F}}), Ink::main});
    if (line) p.push_back({Segment{{-0.66F, deck + 0.14F}, {0.66F, deck + 0.12F}, 0.035F}, Ink::light, inside});
    if (!portholes) return;
    for (const float x : {-0.36F, 0.0F, 0.36F}) p.push_back({Circle{{x, 0.62F}, 0.07F}, Ink::dark, inside});
}

Pictogram a_boat(Random& random) {
    const float top = uniform(random, -0.95F, -0.75F), wide = uniform(random, 0.5F, 0.72F);
    const bool second_sail = happens(random, 0.75F);
    Pictogram p = {{Segment{{0, 0.4F}, {0, top}, 0.04F}, Ink::dark},
                   {polygon({{0.09F, top + 0.1F}, {wide, 0.2F}, {0.09F, 0.2F}}), Ink::light}};
    if (second_sail) p.push_back({polygon({{-0.09F, top + 0.3F}, {-0.09F, 0.2F}, {-0.8F * wide, 0.2F}}), Ink::second});
    add_hull(p, random);
    return p;
}

Pictogram a_ship(Random& random) {
    const float wide = uniform(random, 0.36F, 0.5F), top = uniform(random, -0.62F, -0.44F);
    const int funnels = 1 + choose(random, 2);
    const bool smoke = happens(random, 0.5F);
    Pictogram p;
    for (int i = 0; i < funnels; ++i) {
        const float x = (static_cast<float>(i) - 0.5F * static_cast<float>(funnels - 1)) * 0.38F - 0.05F;
        p.push_back({Box{{x, 0.5F * top - 0.02F}, 0.11F, -0.5F * top, 0.01F}, Ink::second});
        p.push_back({Box{{x, top + 0.07F}, 0.11F, 0.07F, 0}, Ink::dark, inside});
        if (smoke) p.push_back({ellipse({x - 0.16F, top - 0.16F}, 0.17F, 0.1F), Ink::light});
    }
    p.push_back({Box{{-0.05F, 0.14F}, wide, 0.22F, 0.03F}, Ink::light});
    for (const float x : {-0.28F, -0.05F, 0.18F}) p.push_back({Box{{x, 0.1F}, 0.07F, 0.07F, 0.02F}, Ink::dark, inside});
    add_hull(p, random);
    return p;
}

// ---- on wheels: car, truck; the load differs -----------------------------------------------------------------------

void add_wheels(Pictogram& p, Random& random) {
    const float radius = uniform(random, 0.2F, 0.25F), hub = uniform(random, 0.07F, 0.12F);
    for (const float x : {-0.5F, 0.5F}) p.push_back({Circle{{x, 0.5F}, radius}, Ink::dark});
    for (const float x : {-0.5F, 0.5F}) p.push_back({Circle{{x, 0.5F}, hub}, Ink::light, inside});
}

Pictogram a_car(Random& random) {
    const float top = uniform(random, -0.42F, -0.28F), front = uniform(random, 0.2F, 0.34F);
    Pictogram p = {
        {polygon({{-0.58F, 0.12F}, {-0.38F, top}, {front, top}, {front + 0.28F, 0.12F}}, 0.04F), Ink::main},
        {Box{{0, 0.26F}, 0.92F, 0.23F, 0.1F}, Ink::main},
        {polygon({{-0.42F, 0.05F}, {-0.3F, top + 0.1F}, {-0.06F, top + 0.1F}, {-0.06F, 0.05F}}, 0.01F), Ink::light,
         inside},
        {polygon({{0.06F, 0.05F}, {0.06F, top + 0.1F}, {front - 0.04F, top + 0.1F}, {front + 0.14F, 0.05F}}, 0.01F),
         Ink::light, inside}};
    p.push_back({Circle{{0.83F, 0.2F}, 0.07F}, Ink::second, inside});
    add_wheels(p, random);
    return p;
}

Pictogram a_truck(Random& random) {
    const float top = uniform(random, -0.66F, -0.46F), roof = uniform(random, -0.34F, -0.2F);
    const bool stripe = happens(random, 0.5F);
    Pictogram p = {{Box{{-0.28F, 0.5F * (top + 0.36F)}, 0.62F, 0.5F * (0.36F - top), 0.02F}, Ink::second},
                   {Box{{0.64F, 0.5F * (roof + 0.4F)}, 0.27F, 0.5F * (0.4F - roof), 0.05F}, Ink::main},
                   {Box{{0, 0.36F}, 0.92F, 0.13F, 0.05F}, Ink::main},
                   {polygon({{0.52F, 0.08F}, {0.52F, roof + 0.1F}, {0.72F, roof + 0.1F}, {0.82F, 0.08F}}, 0.01F),
                    Ink::light, inside}};
    if (stripe) p.push_back({Segment{{-0.78F, -0.06F}, {0.22F, -0.06F}, 0.06F}, Ink::light, inside});
    p.push_back({Circle{{0.84F, 0.26F}, 0.06F}, Ink::second, inside});
    add_wheels(p, random);
    return p;
}

// ---- with a handle: mug, teapot; the spout differs -----------------------------------------------------------------

void add_pot(Pictogram& p, Random& random) {
    const float wide = uniform(random, 0.42F, 0.5F), tall = uniform(random, 0.46F, 0.56F);
    const float round = uniform(random, 0.08F, 0.3F);
    const bool lid = happens(random, 0.5F);
    const int pattern = choose(random, 3);
    p.push_back({Ring{{wide - 0.02F, 0.18F}, 0.27F, 0.08F}, Ink::main});
    p.push_back({Box{{0, 0.22F}, wide, tall, round}, Ink::main});
    const float rim = 0.22F - tall;
    if (lid) {
        p.push_back({ellipse({0, rim + 0.02F}, wide - 0.04F, 0.14F), Ink::second});
        p.push_back({Circle{{0, rim - 0.16F}, 0.09F}, Ink::dark});
    } else {
        p.push_back({ellipse({0, rim + 0.03F}, wide - 0.04F, 0.09F), Ink::dark, inside});
    }
    if (pattern == 0) p.push_back({Box{{0, 0.3F}, wide, 0.12F, 0}, Ink::second, inside});
    if (pattern == 1) p.push_back({Circle{{0, 0.28F}, 0.2F}, Ink::second, inside});
}

Pictogram a_mug(Random& random) {
    Pictogram p;
    add_pot(p, random);
    return p;
}

Pictogram a_teapot(Random& random) {
    const float tip = uniform(random, -0.3F, -0.12F), reach = uniform(random, -0.92F, -0.8F);
    Pictogram p = {
        {polygon({{-0.36F, 0.5F}, {-0.36F, 0.2F}, {reach - 0.02F, tip}, {reach + 0.14F, tip - 0.03F}}, 0.03F),
         Ink::main}};
    add_pot(p, random);
    return p;
}

// ---- with a shaft: key, magnifier; the bits differ -----------------------------------------------------------------

void add_shaft(Pictogram& p, Random& random) {
    const float radius = uniform(random, 0.3F, 0.38F), thick = uniform(random, 0.07F, 0.11F);
    const bool filled = happens(random, 0.5F);
    const float half = uniform(random, 0.08F, 0.11F);
    if (filled) p.push_back({Circle{{-0.5F, 0}, radius}, Ink::light});
    p.push_back({Ring{{-0.5F, 0}, radius, thick}, Ink::main});
    p.push_back({Segment{{-0.5F + radius, 0}, {0.86F, 0}, half}, Ink::main});
}

Pictogram a_key(Random& random) {
    const float deep = uniform(random, 0.16F, 0.24F);
    const int bits = 2 + choose(random, 2);
    Pictogram p;
    add_shaft(p, random);
    for (int i = 0; i < bits; ++i)
        p.push_back({Box{{0.82F - 0.24F * static_cast<float>(i), 0.06F + deep}, 0.07F, deep, 0.02F}, Ink::main});
    return p;
}

Pictogram a_magnifier(Random& random) {
    const float grip = uniform(random, 0.2F, 0.4F);
    Pictogram p;
    add_shaft(p, random);
    p.push_back({Segment{{grip, 0}, {0.86F, 0}, 0.12F}, Ink::second});
    return p;
}

// ---- under a cap: mushroom, umbrella; the stem differs -------------------------------------------------------------

void add_cap(Pictogram& p, Random& random) {
    constexpr std::array<PlanePoint, 4> dots = {{{0, -0.46F}, {-0.45F, -0.18F}, {0.45F, -0.2F}, {0.05F, -0.08F}}};
    const float tall = uniform(random, 0.76F, 0.92F);
    const int pattern = choose(random, 3);
    p.push_back({Cap{{0, 0.1F}, 0.85F, tall, 0.12F}, Ink::main});
    if (pattern == 0)
        for (const PlanePoint dot : dots) p.push_back({ellipse(dot, 0.13F, 0.11F), Ink::light, inside});
    if (pattern == 1)
        for (const float x : {-0.4F, 0.0F, 0.4F})
            p.push_back({Segment{{0.1F * x, 0.06F - tall}, {x, 0.08F}, 0.025F}, Ink::second, inside});
}

Pictogram a_mushroom(Random& random) {
    const float wide = uniform(random, 0.17F, 0.26F), foot = uniform(random, 0.2F, 0.32F);
    Pictogram p = {{polygon({{-wide, 0.06F}, {wide, 0.06F}, {foot, 0.82F}, {-foot, 0.82F}}, 0.05F), Ink::light}};
    add_cap(p, random);
    return p;
}

Pictogram a_umbrella(Random& random) {
    const float half = uniform(random, 0.035F, 0.055F), hook = uniform(random, 0.12F, 0.17F);
    Pictogram p = {{Segment{{0, -0.9F}, {0, 0.76F}, half}, Ink::dark},
                   {Segment{{0, 0.76F}, {0.5F * hook, 0.88F}, half + 0.01F}, Ink::second},
                   {Segment{{0.5F * hook, 0.88F}, {1.6F * hook, 0.88F}, half + 0.01F}, Ink::second},
                   {Segment{{1.6F * hook, 0.88F}, {2 * hook, 0.74F}, half + 0.01F}, Ink::second}};
    add_cap(p, random);
    return p;
}

// ---- the table -----------------------------------------------------------------------------------------------------

constexpr std::array<ThingKind, thing_count> kinds = {{
    {"fish", 0, as_pictogram<0>, {{0.72F, 0}, 0.4F}},
    {"house", 1, a_house, {{0, -0.7F}, 0.5F}},
    {"tree", 2, as_pictogram<2>, {{0, -0.5F}, 0.5F}},
    {"boat", 3, a_boat, {{0, -0.3F}, 0.6F}},
    {"flower", 4, as_pictogram<4>, {{0, -0.4F}, 0.5F}},
    {"sun", 5, as_pictogram<5>, {{0, -0.6F}, 0.5F}},
    {"cat", 6, a_cat, {{0, -0.5F}, 0.6F}},
    {"car", 7, a_car, {{-0.3F, -0.4F}, 0.5F}},
    {"mug", 8, a_mug, {{-0.7F, 0.1F}, 0.4F}},
    {"key", 9, a_key, {{0.6F, 0.2F}, 0.4F}},
    {"mushroom", 10, a_mushroom, {{0, 0.6F}, 0.4F}},
    {"rocket", 11, as_pictogram<11>, {{0, 0.5F}, 0.5F}},
    {"dog", 6, a_dog, {{0, -0.4F}, 0.6F}},
    {"rabbit", 6, a_rabbit, {{0, -0.5F}, 0.6F}},
    {"church", 1, a_church, {{0, -0.7F}, 0.5F}},
    {"ship", 3, a_ship, {{0, -0.3F}, 0.6F}},
    {"truck", 7, a_truck, {{-0.3F, -0.4F}, 0.5F}},
    {"teapot", 8, a_teapot, {{-0.7F, 0.1F}, 0.4F}},
    {"magnifier", 9, a_magnifier, {{0.6F, 0.2F}, 0.4F}},
    {"umbrella", 10, a_umbrella, {{0, 0.6F}, 0.4F}},
}};

}  // namespace

const ThingKind& thing_kind(int kind) { return kinds.at(static_cast<std::size_t>(kind)); }

float thing_area(int kind) {
    static const std::array<float, thing_count> areas = [] {
        std::array<float, thing_count> measured = {};
        for (std::size_t k = 0; k < measured.size(); ++k) measured[k] = average_area(kinds[k].make);
        return measured;
    }();
    return areas.at(static_cast<std::size_t>(kind));
}

}  // namespace vitrine
