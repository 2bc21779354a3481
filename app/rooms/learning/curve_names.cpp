#include "app/rooms/learning/curve_names.h"

#include "app/ui/theme.h"

namespace vitrine {

Color run_color(const Ui& ui, int run) { return run == 0 ? ui.theme.palette.query : ui.theme.palette.key; }

void tell_curves(Canvas& canvas, const Ui& ui, const Plot& plot, const CurveNames& names) {
    const std::vector<LegendEntry> all = plot.entries();
    if (all.size() > names.runs) legend(canvas, ui, names.line, all, names.id);
}

}  // namespace vitrine
