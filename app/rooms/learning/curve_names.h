#pragma once

#include <string>
#include <vector>

#include "app/ui/widgets/plot.h"

namespace vitrine {

/// The colour of a run's curves and frame.
Color run_color(const Ui& ui, int run);

/// The end point of a curve, with its label.
struct CurveEnd {
    Point at;
    Color color;
    std::string name;
};

/// Labels of a figure's curves.
struct CurveNames {
    std::string id;
    Rect line;  // the plot's title line
    std::size_t runs = 1;
    std::vector<CurveEnd> ends;
};

/// Draws the labels at the ends of the curves, stacked if the ends are close, and a legend in the title line if a run
/// has several curves and it fits. Without curves, it explains how to start one.
void name_curves(Canvas& canvas, const Ui& ui, const Plot& plot, CurveNames names);

}  // namespace vitrine
