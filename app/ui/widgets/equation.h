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

/// What a mark of an equation stands for, and the colour that this thing has everywhere.
struct EquationSymbol {
    std::string_view symbol;
    Color Palette::*color;
};

/// Every mark that the equations may use.
std::span<const EquationSymbol> equation_symbols();

/// The typeset equation of assets/equations/<id>.svg; null where there is none.
const EquationPaths* find_equation(std::string_view id);

/// An equation as it is shown.
struct EquationFigure {
    std::string id;                          // of its source
    std::vector<std::string_view> lit = {};  // the symbols that are pointed at, here or elsewhere
    std::string words = {};                  // the equation as a line of text, for the probe and whoever reads by ear
    float size = 1.3F;                       // of its letters in those of the body text, where the width allows
};

/// What is pointed at.
struct EquationHit {
    std::string symbol;  // empty for none
};

/// Width and height in pixels when drawn no wider than the limit; nothing where there is no such equation.
Point equation_size(const Ui& ui, const EquationFigure& figure, float width_limit);

/// Draws the equation at the rectangle's upper left corner, every symbol in the colour of what it stands for, those
/// that are lit on a soft ground.
void draw_equation(Canvas& canvas, const Ui& ui, Rect rect, const EquationFigure& figure);

/// The same to be pointed at: reports "equation" and each symbol as "equation.<symbol>", 1 where it is lit.
EquationHit equation_figure(Canvas& canvas, const Ui& ui, Rect rect, const EquationFigure& figure);

}  // namespace vitrine
