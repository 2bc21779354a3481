#pragma once

#include <string>
#include <vector>

#include "app/ui/widgets/plot.h"

namespace vitrine {

/// The colour of a run's curves and frame.
Color run_color(const Ui& ui, int run);

/// Where the names of a plot's curves go, and of how many runs they are.
struct CurveNames {
    std::string id;
    Rect line;  // beside the plot's title
    std::size_t runs = 1;
};

/// Which curve is what, where a run has several and there is room; a run's one curve is named at its end.
void tell_curves(Canvas& canvas, const Ui& ui, const Plot& plot, const CurveNames& names);

/// Where a curve ends, and the name that stands there.
struct CurveEnd {
    Point at;
    Color color;
    std::string name;
};
/// The names at the ends of a figure's curves, below one another where the ends lie close.
void draw_curve_ends(Canvas& canvas, const Ui& ui, const std::string& figure, std::vector<CurveEnd> ends);
/// In the middle of a figure that has no curve yet: how one begins.
void draw_no_curve(Canvas& canvas, const Ui& ui, Rect area);

}  // namespace vitrine
