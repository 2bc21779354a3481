#include "app/ui/widgets/equation_raster.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace vitrine {
namespace {

/// Accumulates signed area right of the lines drawn, as differences between adjacent pixels of a row.
class AreaDifferences {
public:
    AreaDifferences(int width, int height) : width_(width), height_(height) {
        cells_.resize(static_cast<std::size_t>(width + 2) * height);
    }

    /// Splits the line at row and column boundaries, so that each piece is within one pixel.
    void line(Point from, Point to) {
        if (from.y == to.y) return;
        const float direction = from.y < to.y ? 1.0F : -1.0F;
        if (direction < 0) std::swap(from, to);
        const float slope = (to.x - from.x) / (to.y - from.y);
        const int last_row = std::min(height_ - 1, static_cast<int>(std::ceil(to.y)) - 1);
        for (int row = std::max(0, static_cast<int>(from.y)); row <= last_row; ++row) {
            const float top = std::max(from.y, static_cast<float>(row));
            const float bottom = std::min(to.y, static_cast<float>(row + 1));
            const float x_top = from.x + slope * (top - from.y), x_bottom = from.x + slope * (bottom - from.y);
            row_line(row, std::min(x_top, x_bottom), std::max(x_top, x_bottom), direction * (bottom - top));
        }
    }

    /// The enclosed area per pixel, for either orientation.
    std::vector<float> amounts() const {
        std::vector<float> out(static_cast<std::size_t>(width_) * height_);
        for (int row = 0; row < height_; ++row) {
            float area = 0;
            for (int column = 0; column < width_; ++column) {
                area += cells_[index(row, column)];
                out[static_cast<std::size_t>(row) * width_ + column] = std::min(1.0F, std::abs(area));
            }
        }
        return out;
    }

private:
    std::size_t index(int row, int column) const { return static_cast<std::size_t>(row) * (width_ + 2) + column; }

    /// Spreads `height` (signed) evenly between x0 and x1; a part left of the first pixel is counted in it.
    void row_line(int row, float x0, float x1, float height) {
        const float slope = x1 > x0 ? height / (x1 - x0) : 0, edge = static_cast<float>(width_);
        if (x0 < 0 && x1 > 0) {
            cells_[index(row, 0)] -= slope * x0;
            height += slope * x0;
        }
        if (x0 < edge && x1 > edge) height -= slope * (x1 - edge);
        x0 = std::clamp(x0, 0.0F, edge);
        x1 = std::clamp(x1, 0.0F, edge);
        const int last = static_cast<int>(x1);
        for (int column = static_cast<int>(x0); column <= last; ++column) {
            const float left = std::max(x0, static_cast<float>(column));
            const float right = std::min(x1, static_cast<float>(column + 1));
            const float part = x1 > x0 ? height * (right - left) / (x1 - x0) : height;
            const float beyond = (left + right) / 2 - static_cast<float>(column);
            cells_[index(row, column)] += part * (1 - beyond);
            cells_[index(row, column + 1)] += part * beyond;
        }
    }

    int width_, height_;
    std::vector<float> cells_;  // (height, width + 2)
};

Point between(Point a, Point b, float t) { return {a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)}; }

Point on_curve(Point from, const PathPiece& curve, float t) {
    const Point a = between(from, curve.controls[0], t), b = between(curve.controls[0], curve.controls[1], t),
                c = between(curve.controls[1], curve.to, t);
    return between(between(a, b, t), between(b, c, t), t);
}

float distance(Point a, Point b) { return std::hypot(b.x - a.x, b.y - a.y); }

/// Snaps the rule of a fraction or root to whole pixels, at least one thick.
Rect sharpened(Rect rule) {
    const float thickness = std::max(1.0F, std::round(rule.height()));
    const float top = std::round(rule.centre().y - thickness / 2);
    return {rule.x0, top, rule.x1, top + thickness};
}

/// The origin that puts y = 0 on a pixel boundary.
Point aligned_origin(const EquationPaths& paths, float scale) {
    const float above = std::ceil(-paths.box.y0 * scale);
    return {paths.box.x0, -above / scale};
}

/// TeX's hairlines are thinner than a screen pixel, so partial coverage is increased a little.
float strengthened(float amount) { return std::sqrt(amount * std::sqrt(amount)); }

void blend(std::uint8_t* pixel, Color color, float amount) {
    const float alpha = strengthened(amount) * static_cast<float>(color.a) / 255;
    const float before = static_cast<float>(pixel[3]) / 255, after = alpha + before * (1 - alpha);
    if (after <= 0) return;
    const std::uint8_t channels[] = {color.r, color.g, color.b};
    for (int c = 0; c < 3; ++c) {
        const float mixed = std::lerp(static_cast<float>(pixel[c]), static_cast<float>(channels[c]), alpha / after);
        pixel[c] = static_cast<std::uint8_t>(std::lround(mixed));
    }
    pixel[3] = static_cast<std::uint8_t>(std::lround(255 * after));
}

void blend(EquationPixels& pixels, const Coverage& coverage, Color color) {
    for (int row = 0; row < coverage.height; ++row)
        for (int column = 0; column < coverage.width; ++column) {
            const int x = coverage.x + column, y = coverage.y + row;
            if (x < 0 || y < 0 || x >= pixels.width || y >= pixels.height) continue;
            blend(&pixels.rgba[4 * (static_cast<std::size_t>(y) * pixels.width + x)], color, coverage.at(column, row));
        }
}

}  // namespace

Coverage coverage_of(const Outline& outline, Point origin, float scale, Rect within) {
    const auto placed = [&](Point p) { return Point{(p.x - origin.x) * scale, (p.y - origin.y) * scale}; };
    const Point low = placed({outline.box.x0, outline.box.y0}), high = placed({outline.box.x1, outline.box.y1});
    const Rect box = outline.is_rule ? sharpened({low.x, low.y, high.x, high.y}) : Rect{low.x, low.y, high.x, high.y};
    Coverage out;
    const auto column = [&](float x) { return static_cast<int>(std::clamp(x, within.x0, within.x1)); };
    const auto row = [&](float y) { return static_cast<int>(std::clamp(y, within.y0, within.y1)); };
    out.x = column(std::floor(box.x0));
    out.y = row(std::floor(box.y0));
    out.width = std::max(1, column(std::ceil(box.x1)) - out.x);
    out.height = std::max(1, row(std::ceil(box.y1)) - out.y);
    AreaDifferences area(out.width, out.height);
    const auto inside = [&](Point p) {
        return Point{p.x - static_cast<float>(out.x), p.y - static_cast<float>(out.y)};
    };
    if (outline.is_rule) {
        area.line(inside({box.x0, box.y0}), inside({box.x0, box.y1}));
        area.line(inside({box.x1, box.y1}), inside({box.x1, box.y0}));
        out.amount = area.amounts();
        return out;
    }
    Point at = {};
    for (const PathPiece& piece : outline.pieces) {
        const PathPiece local = {piece.kind,
                                 inside(placed(piece.to)),
                                 {inside(placed(piece.controls[0])), inside(placed(piece.controls[1]))}};
        if (piece.kind == PathPiece::Kind::line) area.line(at, local.to);
        if (piece.kind == PathPiece::Kind::curve) {
            const float length = distance(at, local.controls[0]) + distance(local.controls[0], local.controls[1]) +
                                 distance(local.controls[1], local.to);
            const int steps = std::clamp(static_cast<int>(std::ceil(length)), 2, 64);
            Point from = at;
            for (int i = 1; i <= steps; ++i) {
                const Point to = on_curve(at, local, static_cast<float>(i) / static_cast<float>(steps));
                area.line(from, to);
                from = to;
            }
        }
        at = local.to;
    }
    out.amount = area.amounts();
    return out;
}

EquationPixels rasterise(const EquationInk& ink, float scale) {
    const EquationPaths& paths = *ink.paths;
    assert(ink.colors.size() == paths.parts.size());
    const Point origin = aligned_origin(paths, scale);
    EquationPixels pixels;
    pixels.width = std::max(1, static_cast<int>(std::ceil((paths.box.x1 - origin.x) * scale)));
    pixels.height = std::max(1, static_cast<int>(std::ceil((paths.box.y1 - origin.y) * scale)));
    pixels.rgba.resize(4 * static_cast<std::size_t>(pixels.width) * pixels.height);
    const Rect all{0, 0, static_cast<float>(pixels.width), static_cast<float>(pixels.height)};
    for (std::size_t i = 0; i < paths.parts.size(); ++i)
        for (const Outline& outline : paths.parts[i].outlines)
            blend(pixels, coverage_of(outline, origin, scale, all), ink.colors[i]);
    return pixels;
}

}  // namespace vitrine
