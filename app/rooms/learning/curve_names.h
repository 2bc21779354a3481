#pragma once

#include <string>
#include <vector>

#include "app/ui/widgets/plot.h"

namespace vitrine {

/// The colour of a run's curves and frame.
Color run_color(const Ui& ui, int run);

/// Where a curve ends, and the name that stands there.
struct CurveEnd {
    Point at;
    Color color;
    std::string name;
};

/// What a figure's curves are called: of how many runs they are, and where those end.
struct CurveNames {
    std::string id;
    Rect line;  // beside the plot's title
    std::size_t runs = 1;
    std::vector<CurveEnd> ends;
};

/// The names at the curves' ends, below one another where the ends lie close, and beside the title which curve is what,
/// where a run has several and there is room. Where there is no curve yet it is said how one begins.
void name_curves(Canvas& canvas, const Ui& ui, const Plot& plot, CurveNames names);

}  // namespace vitrine
