#pragma once

#include <cstdint>
#include <vector>

#include "core/base/random.h"
#include "core/training/pictures/pictograms.h"

namespace vitrine {

/// Red, green and blue from 0 to 1; may leave that range while painting.
struct Colour {
    float r = 0, g = 0, b = 0;
};

Colour mix(Colour a, Colour b, float share_of_b);
Colour darken(Colour c, float factor);
/// A colour from hue (in turns), saturation and value.
Colour from_hsv(float hue, float saturation, float value);
float distance(Colour a, Colour b);

/// A random saturated and bright colour.
Colour vivid(Random& random);
/// A random colour of any brightness, with at most this saturation.
Colour any_colour(Random& random, float most_saturation);

/// A square picture while it is painted. Positions are shares of its side, so a scene is independent of the size.
class Painting {
public:
    explicit Painting(int size)
        : size_(size), place_(static_cast<std::size_t>(size)), red_(pixels()), green_(pixels()), blue_(pixels()) {
        for (std::size_t i = 0; i < place_.size(); ++i)
            place_[i] = (static_cast<float>(i) + 0.5F) / static_cast<float>(size);
    }

    int size() const { return size_; }
    std::size_t pixels() const { return static_cast<std::size_t>(size_) * static_cast<std::size_t>(size_); }
    std::size_t index(int x, int y) const {
        return static_cast<std::size_t>(y) * static_cast<std::size_t>(size_) + static_cast<std::size_t>(x);
    }
    /// The middle of a pixel, as a share of the side.
    float place(int pixel) const { return place_[static_cast<std::size_t>(pixel)]; }

    Colour at(std::size_t i) const { return {red_[i], green_[i], blue_[i]}; }
    void set(std::size_t i, Colour c) { red_[i] = c.r, green_[i] = c.g, blue_[i] = c.b; }
    /// Red, green and blue of a row.
    std::array<const float*, 3> row(int y) const {
        const std::size_t first = index(0, y);
        return {&red_[first], &green_[first], &blue_[first]};
    }

private:
    int size_;
    std::vector<float> place_, red_, green_, blue_;
};

/// Coverage of each pixel by something, 0 … 1; empty if it is not needed.
using Coverage = std::vector<float>;

/// Position, size and rotation of a pictogram's square in the picture.
struct Placement {
    PlanePoint centre;
    float scale = 0;  // half the square's side
    float cos = 1, sin = 0;
    float mirror = 1;  // 1 or −1
    float aspect = 1;
};

/// Calls f(pixel, coverage, point in the pictogram's square) for every pixel touched by a shape grown by `grow`; its
/// edge is one pixel soft.
template <class F>
void for_covered_pixels(const Painting& painting, const Placement& placement, const PlaneShape& shape, float grow,
                        F f) {
    const Bounds b = bounds(shape);
    const float size = static_cast<float>(painting.size()), pixels = placement.scale * size;
    Bounds reach{1e9F, 1e9F, -1e9F, -1e9F};
    for (const float corner_x : {b.left - grow, b.right + grow})
        for (const float corner_y : {b.top - grow, b.bottom + grow}) {
            const float u = corner_x * placement.mirror * placement.aspect, v = corner_y / placement.aspect;
            const float x = placement.centre.x + placement.scale * (placement.cos * u - placement.sin * v);
            const float y = placement.centre.y + placement.scale * (placement.sin * u + placement.cos * v);
            reach = {std::min(reach.left, x), std::min(reach.top, y), std::max(reach.right, x),
                     std::max(reach.bottom, y)};
        }
    const auto pixel = [&](float place) { return static_cast<int>(std::min(std::max(place * size, 0.0F), size)); };
    const int left = pixel(reach.left - 1 / size), right = std::min(pixel(reach.right) + 1, painting.size() - 1);
    const int top = pixel(reach.top - 1 / size), bottom = std::min(pixel(reach.bottom) + 1, painting.size() - 1);
    const auto paint_row = [&](const auto& s, int first, int last, int y) {
        RowOfPoints row;
        float away[RowOfPoints::most];
        row.count = last - first;
        const float dy = (painting.place(y) - placement.centre.y) / placement.scale;
        for (int i = 0; i < row.count; ++i) {
            const float dx = (painting.place(first + i) - placement.centre.x) / placement.scale;
            row.x[i] = (placement.cos * dx + placement.sin * dy) * placement.mirror / placement.aspect;
            row.y[i] = (placement.cos * dy - placement.sin * dx) * placement.aspect;
        }
        distances(s, row, away);
        for (int i = 0; i < row.count; ++i) away[i] = clamp_to_unit(0.5F - (away[i] - grow) * pixels);
        for (int i = 0; i < row.count; ++i)
            if (away[i] > 0) f(painting.index(first + i, y), away[i], PlanePoint{row.x[i], row.y[i]});
    };
    std::visit(
        [&](const auto& s) {
            for (int y = top; y <= bottom; ++y)
                for (int x = left; x <= right; x += RowOfPoints::most)
                    paint_row(s, x, std::min(x + RowOfPoints::most, right + 1), y);
        },
        shape);
}

/// Smooth random heights between 0 and 1 on a grid of `across` × `down` cells, read one row of pixels at a time.
class ValueNoise {
public:
    ValueNoise(float across, float down, std::uint32_t seed);

    /// Computes the grid position of each of `count` pixels in a row; the same for every row.
    void prepare(int count);
    /// Heights along the row of pixels at the share `share_down` of the grid's height.
    void read_row(float share_down, std::vector<float>& heights);

private:
    float across_, down_;
    std::size_t columns_;
    std::vector<float> grid_, row_;
    std::vector<std::size_t> cell_;
    std::vector<float> between_;
};

/// A hash of two integers and a seed: noise independent of the order of evaluation.
inline std::uint32_t hash(std::uint32_t x, std::uint32_t y, std::uint32_t seed) {
    std::uint32_t h = x * 374761393U + y * 668265263U + seed * 2246822519U;
    h = (h ^ (h >> 13)) * 1274126177U;
    h = (h ^ (h >> 15)) * 2654435769U;
    return h ^ (h >> 16);
}

}  // namespace vitrine
