#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/ui/geometry.h"
#include "app/ui/theme.h"

namespace vitrine {

/// A piece of an outline, from the current point to `to`; a curve is a cubic with two control points.
struct PathPiece {
    enum class Kind { move, line, curve };
    Kind kind = Kind::move;
    Point to = {};
    std::array<Point, 2> controls = {};
};

/// A glyph, or a rule (the bar of a fraction or root), which is drawn sharp on whole pixels.
struct Outline {
    std::vector<PathPiece> pieces;
    Rect box;
    bool is_rule = false;
};

/// A marked part of the equation: one symbol at one place.
struct EquationPart {
    std::string symbol;  // its class; empty for a part without meaning
    std::vector<Outline> outlines;
    Rect box;  // bounding box including nested parts; empty if nothing is drawn
};

/// A typeset equation in TeX's points, y down, y = 0 on the (middle) baseline.
struct EquationPaths {
    Rect box;
    std::vector<EquationPart> parts;
};

/// An equation to draw, with the colour of each part.
struct EquationInk {
    const EquationPaths* paths = nullptr;  // has static lifetime: its address is the key in caches
    std::span<const Color> colors;         // (parts)
};

/// Parses the subset of SVG that dvisvgm writes for outlines: `g` with a class, `path` with absolute M L H V C S Q Z,
/// `rect`. Throws Error naming `file` for anything else, since a guess could be a wrong equation.
EquationPaths parse_equation(std::string_view svg, const std::string& file);

/// The outline as the `d` of an SVG path, with offset `at` and `scale`.
std::string path_data(const Outline& outline, Point at, float scale);

}  // namespace vitrine
