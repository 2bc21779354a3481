#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/ui/geometry.h"
#include "app/ui/theme.h"
#include "app/ui/ui.h"
#include "app/ui/widgets/equation_paths.h"

namespace vitrine {

class Canvas;

/// Meaning of a mark in an equation, with the colour of its subject.
struct EquationSymbol {
    std::string_view symbol;
    Color Palette::*color;
};

/// All marks that equations may use.
std::span<const EquationSymbol> equation_symbols();

/// The typeset equation of assets/equations/<id>.svg; null if there is none.
const EquationPaths* find_equation(std::string_view id);

/// An equation to show.
struct EquationFigure {
    std::string id;                          // its file
    std::vector<std::string_view> lit = {};  // the highlighted symbols, hovered here or elsewhere
    std::string words = {};                  // the equation as a line of text, for the probe and screen readers
    float size = 1.3F;                       // font size relative to the body text, if the width allows
};

/// The hovered symbol.
struct EquationHit {
    std::string symbol;  // empty if none
};

/// Width and height in pixels within the width limit; zero if there is no such equation.
Point equation_size(const Ui& ui, const EquationFigure& figure, float width_limit);

/// Draws the equation at the rectangle's upper left corner, every symbol in its subject's colour, highlighted ones on a
/// tinted background.
void draw_equation(Canvas& canvas, const Ui& ui, Rect rect, const EquationFigure& figure);

/// The same with hover: reports "equation", and each symbol as "equation.<symbol>", 1 if highlighted.
EquationHit equation_figure(Canvas& canvas, const Ui& ui, Rect rect, const EquationFigure& figure);

}  // namespace vitrine
