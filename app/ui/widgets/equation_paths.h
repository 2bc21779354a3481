#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/ui/geometry.h"
#include "app/ui/theme.h"

namespace vitrine {

/// A piece of an outline: the pen goes from where it stands to `to`; a curve is a cubic with two control points.
struct PathPiece {
    enum class Kind { move, line, curve };
    Kind kind = Kind::move;
    Point to = {};
    std::array<Point, 2> controls = {};
};

/// A glyph, or a rule (the bar of a fraction or root), which stays sharp by taking whole pixels.
struct Outline {
    std::vector<PathPiece> pieces;
    Rect box;
    bool is_rule = false;
};

/// What one mark of the equation's source encloses: one symbol at one place.
struct EquationPart {
    std::string symbol;  // its class; empty for what stands for nothing
    std::vector<Outline> outlines;
    Rect box;  // around it and the parts inside it; empty where nothing is drawn
};

/// A typeset equation in TeX's points, y down, y = 0 on the (middle) baseline.
struct EquationPaths {
    Rect box;
    std::vector<EquationPart> parts;
};

/// An equation to be drawn, and the colour of each of its parts.
struct EquationInk {
    const EquationPaths* paths = nullptr;  // lives as long as the program: it stands for the equation in caches
    std::span<const Color> colors;         // (parts)
};

/// Reads the few elements of SVG that dvisvgm writes for outlines: `g` with a class, `path` of absolute M L H V C S Q
/// Z, `rect`. Throws Error naming `file` at anything else, since a guess would be a wrong equation.
EquationPaths parse_equation(std::string_view svg, const std::string& file);

/// The outline as the `d` of an SVG path, at `at` and with `scale`.
std::string path_data(const Outline& outline, Point at, float scale);

}  // namespace vitrine
