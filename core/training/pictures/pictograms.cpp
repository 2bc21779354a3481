#include "core/training/pictures/pictograms.h"

#include <array>
#include <cassert>

namespace vitrine {

namespace {

constexpr bool detail = true;

/// A point on a circle, its angle in turns.
PlanePoint on_circle(PlanePoint centre, float radius, float turns) {
    return {centre.x + radius * cosine(turns), centre.y + radius * sine(turns)};
}

Pictogram fish(Random& random) {
    Pictogram p = {
        {polygon({{0.42F, 0}, {0.92F, -0.42F}, {0.82F, 0}, {0.92F, 0.42F}}), Ink::second},
        {polygon({{-0.15F, -0.35F}, {0.2F, -0.66F}, {0.36F, -0.25F}}), Ink::second},
        {polygon({{-0.05F, 0.33F}, {0.16F, 0.6F}, {0.26F, 0.25F}}), Ink::second},
        {ellipse({-0.12F, 0}, 0.72F, 0.43F), Ink::main},
    };
    const int stripes = choose(random, 3);
    for (int i = 0; i < stripes; ++i) {
        const float k = static_cast<float>(i);
        p.push_back({ellipse({0.08F + 0.24F * k, 0}, 0.055F, 0.3F - 0.07F * k), Ink::second, detail});
    }
    p.push_back({Circle{{-0.5F, -0.1F}, 0.12F}, Ink::light, detail});
    p.push_back({Circle{{-0.52F, -0.1F}, 0.06F}, Ink::dark, detail});
    return p;
}

Pictogram house(Random& random) {
    Pictogram p;
    if (happens(random, 0.7F)) p.push_back({Box{{0.42F, -0.55F}, 0.1F, 0.28F, 0.01F}, Ink::second});
    p.push_back({Box{{0, 0.33F}, 0.62F, 0.48F, 0.02F}, Ink::main});
    p.push_back({polygon({{-0.8F, -0.1F}, {0, -0.82F}, {0.8F, -0.1F}}), Ink::second});
    p.push_back({Box{{-0.24F, 0.5F}, 0.15F, 0.31F, 0.02F}, Ink::dark, detail});
    p.push_back({Box{{0.28F, 0.3F}, 0.17F, 0.16F, 0.01F}, Ink::light, detail});
    p.push_back({Segment{{0.28F, 0.15F}, {0.28F, 0.45F}, 0.015F}, Ink::dark, detail});
    return p;
}

Pictogram tree(Random& random) {
    Pictogram p = {{Box{{0, 0.66F}, 0.12F, 0.28F, 0.02F}, Ink::second}};
    if (happens(random, 0.5F)) {
        p.push_back({polygon({{-0.62F, 0.48F}, {0, -0.2F}, {0.62F, 0.48F}}), Ink::main});
        p.push_back({polygon({{-0.5F, 0.1F}, {0, -0.52F}, {0.5F, 0.1F}}), Ink::main});
        p.push_back({polygon({{-0.36F, -0.28F}, {0, -0.88F}, {0.36F, -0.28F}}), Ink::main});
        return p;
    }
    p.push_back({Circle{{-0.33F, 0.08F}, 0.36F}, Ink::main});
    p.push_back({Circle{{0.33F, 0.08F}, 0.36F}, Ink::main});
    p.push_back({Circle{{0, -0.4F}, 0.42F}, Ink::main});
    p.push_back({Circle{{0, 0.05F}, 0.35F}, Ink::main});
    const int fruits = choose(random, 5);
    for (int i = 0; i < fruits; ++i)
        p.push_back({Circle{on_circle({0, -0.12F}, 0.32F, 0.382F * static_cast<float>(i)), 0.08F}, Ink::light, detail});
    return p;
}

Pictogram boat(Random&) {
    return {
        {Segment{{0, 0.35F}, {0, -0.88F}, 0.04F}, Ink::dark},
        {polygon({{0.1F, -0.78F}, {0.7F, 0.2F}, {0.1F, 0.2F}}), Ink::light},
        {polygon({{-0.1F, -0.55F}, {-0.1F, 0.2F}, {-0.55F, 0.2F}}), Ink::second},
        {polygon({{-0.88F, 0.38F}, {0.88F, 0.38F}, {0.55F, 0.78F}, {-0.55F, 0.78F}}), Ink::main},
        {Segment{{-0.6F, 0.5F}, {0.6F, 0.5F}, 0.035F}, Ink::light, detail},
    };
}

Pictogram flower(Random& random) {
    constexpr PlanePoint heart = {0, -0.38F};
    Pictogram p = {
        {Segment{{0, -0.2F}, {0, 0.9F}, 0.05F}, Ink::second},
        {ellipse({0.24F, 0.55F}, 0.24F, 0.1F, -0.08F), Ink::second},
        {ellipse({-0.24F, 0.66F}, 0.24F, 0.1F, 0.08F), Ink::second},
    };
    const int petals = 5 + choose(random, 3);
    const float start = uniform(random);
    for (int i = 0; i < petals; ++i) {
        const float turns = start + static_cast<float>(i) / static_cast<float>(petals);
        p.push_back({ellipse(on_circle(heart, 0.32F, turns), 0.23F, 0.16F, turns), Ink::main});
    }
    p.push_back({Circle{heart, 0.19F}, Ink::light, detail});
    return p;
}

Pictogram sun(Random& random) {
    Pictogram p;
    const int rays = 8 + 2 * choose(random, 3);
    const float start = uniform(random);
    for (int i = 0; i < rays; ++i) {
        const float turns = start + static_cast<float>(i) / static_cast<float>(rays);
        const float half = 0.183F / static_cast<float>(rays);
        p.push_back({polygon({on_circle({}, 0.54F, turns - half), on_circle({}, 0.92F, turns),
                              on_circle({}, 0.54F, turns + half)},
                             0.02F),
                     Ink::second});
    }
    p.push_back({Circle{{}, 0.5F}, Ink::main});
    if (!happens(random, 0.6F)) return p;
    p.push_back({Circle{{-0.17F, -0.08F}, 0.07F}, Ink::dark, detail});
    p.push_back({Circle{{0.17F, -0.08F}, 0.07F}, Ink::dark, detail});
    p.push_back({Segment{{-0.17F, 0.16F}, {0, 0.23F}, 0.035F}, Ink::dark, detail});
    p.push_back({Segment{{0, 0.23F}, {0.17F, 0.16F}, 0.035F}, Ink::dark, detail});
    return p;
}

Pictogram cat(Random&) {
    Pictogram p;
    for (const float side : {-1.0F, 1.0F})
        p.push_back({polygon({{0.66F * side, -0.05F}, {0.62F * side, -0.8F}, {0.1F * side, -0.42F}}), Ink::main});
    p.push_back({ellipse({0, 0.1F}, 0.75F, 0.62F), Ink::main});
    for (const float side : {-1.0F, 1.0F}) {
        p.push_back(
            {polygon({{0.54F * side, -0.35F}, {0.52F * side, -0.6F}, {0.32F * side, -0.43F}}), Ink::second, detail});
        p.push_back({ellipse({0.28F * side, 0}, 0.13F, 0.16F), Ink::light, detail});
        p.push_back({ellipse({0.28F * side, 0}, 0.05F, 0.13F), Ink::dark, detail});
    }
    p.push_back({polygon({{-0.08F, 0.25F}, {0.08F, 0.25F}, {0, 0.34F}}, 0.02F), Ink::second, detail});
    for (const float side : {-1.0F, 1.0F})
        for (const float row : {0.0F, 1.0F})
            p.push_back({Segment{{0.25F * side, 0.36F + 0.08F * row}, {0.7F * side, 0.28F + 0.2F * row}, 0.018F},
                         Ink::dark, detail});
    return p;
}

Pictogram car(Random&) {
    return {
        {polygon({{-0.55F, 0.1F}, {-0.35F, -0.36F}, {0.25F, -0.36F}, {0.55F, 0.1F}}, 0.04F), Ink::main},
        {Box{{0, 0.22F}, 0.92F, 0.24F, 0.12F}, Ink::main},
        {polygon({{-0.4F, 0.03F}, {-0.27F, -0.26F}, {-0.06F, -0.26F}, {-0.06F, 0.03F}}, 0.01F), Ink::light, detail},
        {polygon({{0.06F, 0.03F}, {0.06F, -0.26F}, {0.2F, -0.26F}, {0.4F, 0.03F}}, 0.01F), Ink::light, detail},
        {Circle{{-0.48F, 0.46F}, 0.23F}, Ink::dark},
        {Circle{{0.48F, 0.46F}, 0.23F}, Ink::dark},
        {Circle{{-0.48F, 0.46F}, 0.1F}, Ink::light, detail},
        {Circle{{0.48F, 0.46F}, 0.1F}, Ink::light, detail},
        {Circle{{-0.82F, 0.16F}, 0.07F}, Ink::second, detail},
    };
}

Pictogram mug(Random& random) {
    Pictogram p = {
        {Ring{{0.42F, 0.12F}, 0.28F, 0.09F}, Ink::main},
        {Box{{-0.15F, 0.15F}, 0.52F, 0.6F, 0.12F}, Ink::main},
        {ellipse({-0.15F, -0.42F}, 0.5F, 0.1F), Ink::dark, detail},
    };
    if (happens(random, 0.7F))
        p.push_back({Box{{-0.15F, 0.2F}, 0.52F, 0.13F, 0}, Ink::second, detail});
    else
        p.push_back({Circle{{-0.15F, 0.2F}, 0.2F}, Ink::second, detail});
    for (const float x : {-0.32F, 0.02F}) {  // steam
        p.push_back({Segment{{x, -0.6F}, {x + 0.09F, -0.72F}, 0.045F}, Ink::light});
        p.push_back({Segment{{x + 0.09F, -0.72F}, {x, -0.86F}, 0.045F}, Ink::light});
    }
    return p;
}

Pictogram key(Random& random) {
    Pictogram p = {
        {Ring{{-0.55F, 0}, 0.3F, 0.115F}, Ink::main},
        {Segment{{-0.2F, 0}, {0.88F, 0}, 0.1F}, Ink::main},
        {Box{{0.56F, 0.2F}, 0.08F, 0.18F, 0.02F}, Ink::main},
        {Box{{0.82F, 0.18F}, 0.08F, 0.16F, 0.02F}, Ink::main},
    };
    if (happens(random, 0.5F)) p.push_back({Circle{{-0.55F, 0}, 0.1F}, Ink::second});
    return p;
}

Pictogram mushroom(Random& random) {
    constexpr std::array<PlanePoint, 4> dots = {{{0, -0.42F}, {-0.45F, -0.16F}, {0.45F, -0.2F}, {0.05F, -0.02F}}};
    Pictogram p = {
        {polygon({{-0.2F, 0.1F}, {0.2F, 0.1F}, {0.27F, 0.8F}, {-0.27F, 0.8F}}, 0.06F), Ink::light},
        {Cap{{0, 0.12F}, 0.85F, 0.88F, 0.16F}, Ink::main},
    };
    const int count = 3 + choose(random, 2);
    for (int i = 0; i < count; ++i)
        p.push_back({ellipse(dots[static_cast<std::size_t>(i)], 0.14F, 0.12F), Ink::light, detail});
    return p;
}

Pictogram rocket(Random&) {
    return {
        {polygon({{-0.15F, 0.6F}, {0.15F, 0.6F}, {0, 0.98F}}), Ink::light},
        {polygon({{-0.2F, 0.1F}, {-0.6F, 0.68F}, {-0.2F, 0.6F}}), Ink::second},
        {polygon({{0.2F, 0.1F}, {0.6F, 0.68F}, {0.2F, 0.6F}}), Ink::second},
        {ellipse({0, -0.12F}, 0.32F, 0.82F), Ink::main},
        {Cap{{0, -0.12F}, 0.32F, 0.82F, -0.5F}, Ink::second, detail},
        {Circle{{0, -0.18F}, 0.16F}, Ink::light, detail},
        {Circle{{0, -0.18F}, 0.1F}, Ink::dark, detail},
        {Box{{0, 0.62F}, 0.22F, 0.06F, 0.02F}, Ink::dark},
    };
}

constexpr std::array<Pictogram (*)(Random&), pictogram_count> makers = {fish, house, tree, boat, flower,   sun,
                                                                        cat,  car,   mug,  key,  mushroom, rocket};

}  // namespace

float average_area(Pictogram (*make)(Random& random), std::uint64_t first_seed) {
    constexpr int variants = 8, cells = 64;  // cells of a grid over the square
    int inside = 0;
    for (int v = 0; v < variants; ++v) {
        Random random(first_seed + static_cast<std::uint64_t>(v));
        const Pictogram pictogram = make(random);
        for (int i = 0; i < cells * cells; ++i) {
            const PlanePoint p{(static_cast<float>(i % cells) + 0.5F) / (cells / 2) - 1,
                               (static_cast<float>(i / cells) + 0.5F) / (cells / 2) - 1};
            inside += std::any_of(pictogram.begin(), pictogram.end(), [&](const PictogramPart& part) {
                return std::visit([&](const auto& s) { return distance(s, p); }, part.shape) < 0;
            });
        }
    }
    return 4.0F * static_cast<float>(inside) / (variants * cells * cells);
}

Pictogram make_pictogram(int kind, Random& random) { return makers.at(static_cast<std::size_t>(kind))(random); }

float pictogram_area(int kind) {
    static const std::array<float, pictogram_count> areas = [] {
        std::array<float, pictogram_count> measured = {};
        for (std::size_t k = 0; k < measured.size(); ++k) measured[k] = average_area(makers[k], 8 * k);
        return measured;
    }();
    return areas.at(static_cast<std::size_t>(kind));
}

}  // namespace vitrine
