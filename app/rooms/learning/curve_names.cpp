#include "app/rooms/learning/curve_names.h"

#include "app/ui/theme.h"

namespace vitrine {

Color run_color(const Ui& ui, int run) { return run == 0 ? ui.theme.palette.query : ui.theme.palette.key; }

void tell_curves(Canvas& canvas, const Ui& ui, const Plot& plot, const CurveNames& names) {
    const std::vector<LegendEntry> all = plot.entries();
    if (all.size() < 2 || legend(canvas, ui, names.line, all, names.id)) return;
    std::vector<LegendEntry> runs;
    for (std::size_t i = 0; i < names.runs; ++i)
        runs.push_back({std::string(1, static_cast<char>('A' + i)), run_color(ui, static_cast<int>(i))});
    if (runs.size() > 1) legend(canvas, ui, names.line, runs, names.id);
}

}  // namespace vitrine
