#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "app/ui/widgets/canvas.h"
#include "app/ui/widgets/controls.h"

namespace vitrine {
namespace {

/// A pen in the unit square around the icon's centre: -1 … 1 to the right and down.
struct IconPen {
    Canvas& canvas;
    Point centre;
    float half;
    Color color;
    float thickness;

    Point at(Point p) const { return {centre.x + p.x * half, centre.y + p.y * half}; }

    std::vector<Point> all(std::initializer_list<Point> points) const {
        std::vector<Point> out;
        for (const Point p : points) out.push_back(at(p));
        return out;
    }

    void stroke(std::initializer_list<Point> points) const { canvas.polyline(all(points), color, thickness); }
    void shape(std::initializer_list<Point> points) const { canvas.polygon(all(points), color); }
    void box(Rect r) const {
        const Point low = at({r.x0, r.y0}), high = at({r.x1, r.y1});
        canvas.fill({low.x, low.y, high.x, high.y}, color, half * 0.12F);
    }
    void dot(Point p, float radius) const { canvas.circle(at(p), radius * half, color); }
    void ring(Point p, float radius) const { canvas.ring(at(p), radius * half, color, thickness); }

    /// Points of an arc; degrees clockwise from the right.
    std::vector<Point> arc(Point middle, float radius, float from, float to) const {
        std::vector<Point> points;
        constexpr int steps = 20;
        for (int i = 0; i <= steps; ++i) {
            const float angle = std::lerp(from, to, static_cast<float>(i) / steps) * std::numbers::pi_v<float> / 180;
            points.push_back(at({middle.x + radius * std::cos(angle), middle.y + radius * std::sin(angle)}));
        }
        return points;
    }
    void curve(Point middle, float radius, std::array<float, 2> degrees) const {
        canvas.polyline(arc(middle, radius, degrees[0], degrees[1]), color, thickness);
    }
};

void sun(const IconPen& pen) {
    pen.dot({0, 0}, 0.40F);
    for (int i = 0; i < 8; ++i) {
        const float angle = static_cast<float>(i) * std::numbers::pi_v<float> / 4;
        const Point way = {std::cos(angle), std::sin(angle)};
        pen.stroke({{way.x * 0.64F, way.y * 0.64F}, {way.x * 0.92F, way.y * 0.92F}});
    }
}

/// A crescent as convex slices between two arcs.
void moon(const IconPen& pen) {
    const std::vector<Point> outside = pen.arc({0, 0}, 0.85F, 20, 250);
    const std::vector<Point> inside = pen.arc({0.40F, -0.36F}, 0.74F, 64, 206);
    for (std::size_t i = 0; i + 1 < outside.size(); ++i) {
        const std::array<Point, 4> slice = {outside[i], outside[i + 1], inside[i + 1], inside[i]};
        pen.canvas.polygon(slice, pen.color);
    }
}

/// A U-turn arrow; `side` -1 to the left, 1 to the right.
void turn(const IconPen& pen, float side) {
    pen.stroke({{-0.35F * side * -1, -0.85F}, {0.80F * side, -0.38F}, {0.35F * side, 0.10F}});
    pen.stroke({{0.80F * side, -0.38F}, {-0.25F * side, -0.38F}});
    if (side > 0)
        pen.curve({-0.25F, 0.20F}, 0.58F, {270, 90});
    else
        pen.curve({0.25F, 0.20F}, 0.58F, {-90, 90});
    pen.stroke({{-0.25F * side, 0.78F}, {0.40F * side, 0.78F}});
}

void folder(const IconPen& pen) {
    pen.stroke({{-0.90F, 0.70F},
                {-0.90F, -0.70F},
                {-0.25F, -0.70F},
                {0.0F, -0.42F},
                {0.90F, -0.42F},
                {0.90F, 0.70F},
                {-0.90F, 0.70F},
                {-0.90F, 0.40F}});
    pen.stroke({{-0.90F, -0.12F}, {0.90F, -0.12F}});
}

void picture(const IconPen& pen) {
    pen.stroke({{-0.90F, 0.70F}, {-0.90F, -0.70F}, {0.90F, -0.70F}, {0.90F, 0.70F}, {-0.90F, 0.70F}, {-0.90F, 0.40F}});
    pen.shape({{-0.80F, 0.62F}, {-0.28F, -0.16F}, {0.24F, 0.62F}});
    pen.shape({{0.0F, 0.62F}, {0.38F, 0.10F}, {0.80F, 0.62F}});
    pen.dot({0.42F, -0.28F}, 0.18F);
}

void question(const IconPen& pen) {
    pen.curve({0, -0.38F}, 0.44F, {180, 405});
    pen.stroke({{0.31F, -0.07F}, {0.04F, 0.18F}, {0, 0.42F}});
    pen.dot({0, 0.80F}, 0.14F);
}

void warning(const IconPen& pen) {
    pen.stroke({{0, -0.85F}, {0.92F, 0.78F}, {-0.92F, 0.78F}, {0, -0.85F}, {0.3F, -0.32F}});
    pen.stroke({{0, -0.28F}, {0, 0.28F}});
    pen.dot({0, 0.52F}, 0.12F);
}

}  // namespace

void draw_icon(Canvas& canvas, Icon icon, Point centre, float size, Color color) {
    const IconPen pen = {canvas, centre, size / 2, color, std::max(1.0F, size / 9)};
    switch (icon) {
        case Icon::left: return pen.stroke({{0.35F, -0.75F}, {-0.40F, 0}, {0.35F, 0.75F}});
        case Icon::right: return pen.stroke({{-0.35F, -0.75F}, {0.40F, 0}, {-0.35F, 0.75F}});
        case Icon::up: return pen.stroke({{-0.75F, 0.35F}, {0, -0.40F}, {0.75F, 0.35F}});
        case Icon::down: return pen.stroke({{-0.75F, -0.35F}, {0, 0.40F}, {0.75F, -0.35F}});
        case Icon::play: return pen.shape({{-0.55F, -0.80F}, {0.85F, 0}, {-0.55F, 0.80F}});
        case Icon::pause: return pen.box({-0.65F, -0.75F, -0.18F, 0.75F}), pen.box({0.18F, -0.75F, 0.65F, 0.75F});
        case Icon::close:
            return pen.stroke({{-0.62F, -0.62F}, {0.62F, 0.62F}}), pen.stroke({{-0.62F, 0.62F}, {0.62F, -0.62F}});
        case Icon::plus: return pen.stroke({{-0.72F, 0}, {0.72F, 0}}), pen.stroke({{0, -0.72F}, {0, 0.72F}});
        case Icon::check: return pen.stroke({{-0.75F, 0.05F}, {-0.22F, 0.58F}, {0.78F, -0.55F}});
        case Icon::folder: return folder(pen);
        case Icon::picture: return picture(pen);
        case Icon::search: return pen.ring({-0.18F, -0.18F}, 0.58F), pen.stroke({{0.25F, 0.25F}, {0.85F, 0.85F}});
        case Icon::sun: return sun(pen);
        case Icon::moon: return moon(pen);
        case Icon::question: return question(pen);
        case Icon::undo: return turn(pen, -1);
        case Icon::redo: return turn(pen, 1);
        case Icon::warning: return warning(pen);
        case Icon::lecture:
            return pen.stroke({{-0.85F, 0.35F},
                               {-0.85F, -0.75F},
                               {0.85F, -0.75F},
                               {0.85F, 0.35F},
                               {-0.85F, 0.35F},
                               {-0.85F, 0.1F}}),
                   pen.stroke({{-0.45F, 0.85F}, {0, 0.35F}, {0.45F, 0.85F}});
        case Icon::save:  // an arrow into a tray
            return pen.stroke({{0, -0.85F}, {0, 0.35F}}), pen.stroke({{-0.45F, -0.1F}, {0, 0.35F}, {0.45F, -0.1F}}),
                   pen.stroke({{-0.85F, 0.35F}, {-0.85F, 0.85F}, {0.85F, 0.85F}, {0.85F, 0.35F}});
        case Icon::copy:  // a sheet over another
            return pen.stroke({{-0.35F, -0.35F}, {0.85F, -0.35F}, {0.85F, 0.85F}, {-0.35F, 0.85F}, {-0.35F, -0.35F}}),
                   pen.stroke({{-0.35F, 0.35F}, {-0.85F, 0.35F}, {-0.85F, -0.85F}, {0.35F, -0.85F}, {0.35F, -0.35F}});
        case Icon::curve:  // a falling loss curve with axes
            return pen.stroke({{-0.85F, -0.85F}, {-0.85F, 0.85F}, {0.85F, 0.85F}}),
                   pen.stroke({{-0.55F, -0.7F}, {-0.35F, -0.1F}, {0, 0.25F}, {0.4F, 0.4F}, {0.85F, 0.45F}});
        case Icon::pointer:
            return pen.shape({{-0.55F, -0.9F}, {0.75F, 0.25F}, {-0.05F, 0.35F}}),
                   pen.shape({{-0.55F, -0.9F}, {-0.05F, 0.35F}, {-0.55F, 0.85F}});
        case Icon::words:  // two texts, with a line from word to word
            return pen.stroke({{-0.85F, -0.75F}, {-0.2F, -0.75F}}), pen.stroke({{0.2F, -0.75F}, {0.85F, -0.75F}}),
                   pen.stroke({{-0.5F, -0.45F}, {0.5F, 0.45F}}), pen.stroke({{0.5F, -0.45F}, {-0.5F, 0.45F}}),
                   pen.stroke({{-0.85F, 0.75F}, {-0.2F, 0.75F}}), pen.stroke({{0.2F, 0.75F}, {0.85F, 0.75F}});
        case Icon::count: return;
    }
}

}  // namespace vitrine
