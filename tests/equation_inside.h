#pragma once

#include <string>

#include "app/ui/widgets/equation_paths.h"

namespace vitrine {

/// Parses an SVG file with the content `inside`.
inline EquationPaths equation_inside(const std::string& inside) {
    return parse_equation("<svg viewBox='0 0 10 10'>" + inside + "</svg>", "some.svg");
}

}  // namespace vitrine
