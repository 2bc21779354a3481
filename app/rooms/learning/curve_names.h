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

/// Which curve is whose: every curve by name, or the runs by their letters where that is too long. Nothing for one
/// curve alone.
void tell_curves(Canvas& canvas, const Ui& ui, const Plot& plot, const CurveNames& names);

}  // namespace vitrine
