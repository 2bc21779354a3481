#pragma once

namespace vitrine {

struct Point {
    float x = 0, y = 0;
};

/// A rectangle in pixels, y down; x1 and y1 are outside.
struct Rect {
    float x0 = 0, y0 = 0, x1 = 0, y1 = 0;

    float width() const { return x1 - x0; }
    float height() const { return y1 - y0; }
    bool empty() const { return x1 <= x0 || y1 <= y0; }
    bool contains(Point p) const { return p.x >= x0 && p.x < x1 && p.y >= y0 && p.y < y1; }
    bool overlaps(const Rect& r) const { return x0 < r.x1 && r.x0 < x1 && y0 < r.y1 && r.y0 < y1; }
    Point centre() const { return {(x0 + x1) / 2, (y0 + y1) / 2}; }
    Rect inset(float by) const { return {x0 + by, y0 + by, x1 - by, y1 - by}; }
    bool operator==(const Rect&) const = default;
};

/// Rows and columns of a figure made of cells.
struct GridSize {
    int rows = 0, columns = 0;
};

struct GridCell {
    int row = 0, column = 0;

    bool operator==(const GridCell&) const = default;
};

}  // namespace vitrine
