#pragma once

#include <string>

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

}  // namespace vitrine
