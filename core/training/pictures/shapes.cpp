#include "core/training/pictures/shapes.h"

#include <cassert>

namespace vitrine {

namespace {

Bounds around(PlanePoint centre, float half_width, float half_height) {
    return {centre.x - half_width, centre.y - half_height, centre.x + half_width, centre.y + half_height};
}

Bounds bounds_of(const Circle& s) { return around(s.centre, s.radius, s.radius); }
Bounds bounds_of(const Ellipse& s) { return around(s.centre, std::max(s.a, s.b), std::max(s.a, s.b)); }
Bounds bounds_of(const Box& s) { return around(s.centre, s.half_width, s.half_height); }
Bounds bounds_of(const Ring& s) { return around(s.centre, s.radius + s.half_width, s.radius + s.half_width); }
Bounds bounds_of(const Cap& s) { return around(s.centre, s.a, s.b); }

Bounds bounds_of(const Segment& s) {
    return {std::min(s.from.x, s.to.x) - s.half_width, std::min(s.from.y, s.to.y) - s.half_width,
            std::max(s.from.x, s.to.x) + s.half_width, std::max(s.from.y, s.to.y) + s.half_width};
}

Bounds bounds_of(const Polygon& s) {
    Bounds b{s.corners[0].x, s.corners[0].y, s.corners[0].x, s.corners[0].y};
    for (std::size_t i = 1; i < s.count; ++i) {
        b.left = std::min(b.left, s.corners[i].x);
        b.top = std::min(b.top, s.corners[i].y);
        b.right = std::max(b.right, s.corners[i].x);
        b.bottom = std::max(b.bottom, s.corners[i].y);
    }
    return {b.left - s.rounding, b.top - s.rounding, b.right + s.rounding, b.bottom + s.rounding};
}

}  // namespace

Ellipse ellipse(PlanePoint centre, float a, float b, float turns) { return {centre, a, b, cosine(turns), sine(turns)}; }

Polygon polygon(std::initializer_list<PlanePoint> corners, float rounding) {
    assert(corners.size() <= Polygon::most);
    Polygon p;
    std::copy(corners.begin(), corners.end(), p.corners.begin());
    p.count = corners.size();
    p.rounding = rounding;
    return p;
}

Bounds bounds(const PlaneShape& shape) {
    return std::visit([](const auto& s) { return bounds_of(s); }, shape);
}

}  // namespace vitrine
