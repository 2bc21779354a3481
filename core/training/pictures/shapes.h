#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <variant>

namespace vitrine {

// Flat shapes as signed distances: negative inside, in the points' units. Uses only + − × ÷ √ and comparisons,
// which all compilers round alike; files that include this are compiled without contraction to fused operations.

struct PlanePoint {
    float x = 0, y = 0;
};

/// Sine and cosine of an angle in turns, to 10⁻⁵; identical on every platform, unlike libm's.
inline float sine(float turns) {
    const float t = turns - std::floor(turns + 0.5F);  // −1/2 … 1/2
    const float quarter = t > 0.25F ? 0.5F - t : t < -0.25F ? -0.5F - t : t;
    const float x = quarter * 6.2831853F, xx = x * x;  // Taylor series of the sine
    return x * (1 + xx * (-1.6666667e-1F + xx * (8.3333333e-3F + xx * (-1.9841270e-4F + xx * 2.7557319e-6F))));
}
inline float cosine(float turns) { return sine(turns + 0.25F); }

struct Bounds {
    float left, top, right, bottom;
};

struct Circle {
    PlanePoint centre;
    float radius = 0;
};

struct Ellipse {
    PlanePoint centre;
    float a = 0, b = 0;      // half axes
    float cos = 1, sin = 0;  // cosine and sine of its rotation
};
Ellipse ellipse(PlanePoint centre, float a, float b, float turns = 0);

struct Box {
    PlanePoint centre;
    float half_width = 0, half_height = 0;
    float corner = 0;  // corner radius
};

struct Polygon {
    static constexpr std::size_t most = 8;
    std::array<PlanePoint, most> corners = {};
    std::size_t count = 0;
    float rounding = 0;
};
Polygon polygon(std::initializer_list<PlanePoint> corners, float rounding = 0.03F);

struct Segment {
    PlanePoint from, to;
    float half_width = 0;
};

struct Ring {
    PlanePoint centre;
    float radius = 0, half_width = 0;
};

/// The part of an ellipse above a given height.
struct Cap {
    PlanePoint centre;
    float a = 0, b = 0;
    float bottom = 0;
};

using PlaneShape = std::variant<Circle, Ellipse, Box, Polygon, Segment, Ring, Cap>;

inline float length(float x, float y) { return std::sqrt(x * x + y * y); }
inline float clamp_to_unit(float x) { return std::min(std::max(x, 0.0F), 1.0F); }

/// Distance from an ellipse around the origin, to first order (exact on its edge).
inline float ellipse_distance(float x, float y, float a, float b) {
    const float u = x / a, v = y / b;
    const float k1 = length(u, v), k2 = length(u / a, v / b);
    return k2 < 1e-6F ? -std::min(a, b) : k1 * (k1 - 1) / k2;
}

inline float distance(const Circle& s, PlanePoint p) { return length(p.x - s.centre.x, p.y - s.centre.y) - s.radius; }

inline float distance(const Ellipse& s, PlanePoint p) {
    const float x = p.x - s.centre.x, y = p.y - s.centre.y;
    return ellipse_distance(s.cos * x + s.sin * y, s.cos * y - s.sin * x, s.a, s.b);
}

inline float distance(const Box& s, PlanePoint p) {
    const float x = std::fabs(p.x - s.centre.x) - s.half_width + s.corner;
    const float y = std::fabs(p.y - s.centre.y) - s.half_height + s.corner;
    return length(std::max(x, 0.0F), std::max(y, 0.0F)) + std::min(std::max(x, y), 0.0F) - s.corner;
}

inline float squared_distance_to_segment(PlanePoint p, PlanePoint from, PlanePoint to) {
    const float ex = to.x - from.x, ey = to.y - from.y, wx = p.x - from.x, wy = p.y - from.y;
    const float t = clamp_to_unit((wx * ex + wy * ey) / (ex * ex + ey * ey + 1e-12F));
    const float dx = wx - ex * t, dy = wy - ey * t;
    return dx * dx + dy * dy;
}

inline float distance(const Segment& s, PlanePoint p) {
    return std::sqrt(squared_distance_to_segment(p, s.from, s.to)) - s.half_width;
}

/// Updates a point's results by one edge of a polygon: `nearest`, the least squared distance so far, and `side`, −1
/// inside and 1 outside.
inline void meet_edge(PlanePoint from, PlanePoint to, PlanePoint p, float& nearest, float& side) {
    nearest = std::min(nearest, squared_distance_to_segment(p, from, to));
    // Each edge that crosses the point's height to its right flips the sign.
    const float cross = (to.x - from.x) * (p.y - from.y) - (p.x - from.x) * (to.y - from.y);
    const bool crosses = (from.y > p.y) != (to.y > p.y), to_the_right = (cross > 0) == (to.y > from.y);
    side = (crosses & to_the_right) ? -side : side;
}

inline float distance(const Ring& s, PlanePoint p) {
    return std::fabs(length(p.x - s.centre.x, p.y - s.centre.y) - s.radius) - s.half_width;
}

inline float distance(const Cap& s, PlanePoint p) {
    return std::max(ellipse_distance(p.x - s.centre.x, p.y - s.centre.y, s.a, s.b), p.y - s.bottom);
}

/// Points along a row of pixels, and their distances from a shape; loops over them are vectorised.
struct RowOfPoints {
    static constexpr int most = 64;
    int count = 0;
    float x[most], y[most];
};

template <class S>
void distances(const S& shape, const RowOfPoints& row, float* out) {
    for (int i = 0; i < row.count; ++i) out[i] = distance(shape, {row.x[i], row.y[i]});
}

inline void distances(const Polygon& s, const RowOfPoints& row, float* out) {
    float nearest[RowOfPoints::most], side[RowOfPoints::most];
    std::fill_n(nearest, row.count, 1e9F);
    std::fill_n(side, row.count, 1.0F);
    for (std::size_t e = 0, before = s.count - 1; e < s.count; before = e++)
        for (int i = 0; i < row.count; ++i)
            meet_edge(s.corners[before], s.corners[e], {row.x[i], row.y[i]}, nearest[i], side[i]);
    for (int i = 0; i < row.count; ++i) out[i] = side[i] * std::sqrt(nearest[i]) - s.rounding;
}

inline float distance(const Polygon& s, PlanePoint p) {
    const RowOfPoints one{1, {p.x}, {p.y}};
    float away = 0;
    distances(s, one, &away);
    return away;
}

Bounds bounds(const PlaneShape& shape);

}  // namespace vitrine
