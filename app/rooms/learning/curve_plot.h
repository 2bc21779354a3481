#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/rooms/learning/curve_names.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/axis.h"
#include "app/ui/widgets/canvas.h"
#include "app/ui/widgets/hot_area.h"
#include "app/ui/widgets/plot.h"
#include "app/workspace/run_view.h"

namespace vitrine {

/// The share of the stage's height for the curves of live runs; they are the largest figure even in a small window.
inline constexpr float share_of_curves = 0.42F;

/// A plot of a quantity of all runs against the number of examples seen.
struct CurveFigure {
    std::string id, title, heading;  // the heading: the title, shortened to fit
    double high = 1;
    double reach = 1000;  // end of the axis of examples
    std::string unit;     // its label
    std::optional<float> scrub;
};

/// The canvas and rectangle in which runs are drawn.
struct CurveGround {
    Canvas& canvas;
    const Ui& ui;
    Rect rect;
};

inline std::string run_letter(std::size_t run) { return {static_cast<char>('A' + run)}; }

/// The end of a run's axis of examples: the larger of `least` and the run's planned number of examples; beyond it a
/// round number, so that the axis seldom changes while the run learns.
template <class Family>
double end_of_axis(const RunView<Family>& run, double least) {
    constexpr double last_batch = 1.02;  // the last batch may go a little beyond the planned number
    const double seen = run.curve && !run.curve->seen.empty() ? run.curve->seen.back() : 0;
    const double promised = run.recipe.promised_examples ? static_cast<double>(*run.recipe.promised_examples) : 0;
    const double end = std::max(least, promised);
    return seen <= end * last_batch ? std::max(end, seen) : ticks_of(0, seen, 1).step;
}

/// The part of the curves from before runs were restored, to the number of examples that they had seen; none if no run
/// was. The moments of that part were not kept, so it cannot be shown.
template <class Family>
std::optional<std::pair<Rect, double>> restored_part(const Plot& plot, const RunViews<Family>& runs) {
    std::uint64_t seen = 0;
    for (const RunView<Family>& run : runs)
        seen = std::max(seen, run.restored.value_or(0) * static_cast<std::uint64_t>(run.recipe.batch));
    if (seen == 0) return {};
    const Rect area = plot.area();
    const float end = std::min(area.x1, plot.x_of(static_cast<double>(seen)));
    return {{{area.x0, area.y0, end, area.y1}, static_cast<double>(seen)}};
}

/// Labels that part in a corner where no curve passes, if the label fits in one.
inline void name_restored_part(const CurveGround& ground, const std::string& id, const Plot& plot, const Rect& part) {
    const auto& [canvas, ui, rect] = ground;
    const std::string& words = ui.text("learn.restored_part");
    const Point size = canvas.measure(words, Font::caption);
    const float gap = ui.theme.px(8);
    if (size.x + 3 * gap > part.width()) return;
    for (const float y : {part.y0, part.y1 - size.y})
        for (const float x : {part.x0 + gap, part.x1 - gap - size.x}) {
            const Rect place{x, y, x + size.x, y + size.y};
            if (plot.touches(place)) continue;
            canvas.text({x, y}, words, {Font::caption, ui.theme.palette.muted, Align::left});
            return ui.probe.mark(id + ".restored.words", place, 0, words);
        }
}

/// Draws the figure. `draw(plot, curve, run, colour)` adds a run's lines and returns the end (x, y) of the labelled
/// line, if any.
template <class Family, class Draw>
void draw_curves(const CurveGround& ground, const CurveFigure& figure, const RunViews<Family>& runs, const Draw& draw) {
    const auto& [canvas, ui, rect] = ground;
    const float line = canvas.measure("", Font::strong).y + ui.theme.px(4);
    canvas.text({rect.x0, rect.y0}, figure.heading, {Font::strong, ui.theme.palette.text, Align::left});
    Plot plot(canvas, ui, {rect.x0, rect.y0 + line, rect.x1, rect.y1}, {0, figure.reach, figure.unit},
              {0, figure.high, {}});
    const auto restored = restored_part(plot, runs);
    if (restored) {
        canvas.fill(restored->first, ui.theme.palette.line.with_alpha(0.4F));
        ui.probe.mark(figure.id + ".restored", restored->first, restored->second, ui.text("learn.restored_part"));
    }
    std::vector<CurveEnd> ends;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const RunView<Family>& run = runs[i];
        const Color color = run_color(ui, static_cast<int>(i));
        const auto end = run.curve ? draw(plot, *run.curve, i, color) : std::nullopt;
        if (end && runs.size() > 1 && std::isfinite(end->second))
            ends.push_back({{plot.x_of(end->first), plot.y_of(end->second)}, color, run_letter(i)});
        if (const auto moment = run.at(figure.scrub); moment && figure.scrub)
            plot.marker(static_cast<double>(moment->report.seen), color, "");
    }
    if (restored) name_restored_part(ground, figure.id, plot, restored->first);
    const float title = canvas.measure(figure.title, Font::strong).x + ui.theme.px(16);
    name_curves(canvas, ui, plot,
                {figure.id, {rect.x0 + title, rect.y0, plot.area().x1, rect.y0 + line}, runs.size(), std::move(ends)});
    if (const Hit hit = hot_area(ui, figure.id, plot.area(), figure.title, Reach::along_axis); hit.at)
        plot.readout(*hit.at);
}

using LineEnd = std::optional<std::pair<double, double>>;

/// The last point (x, y) of a line; none if the line is empty.
inline LineEnd line_end(const std::vector<double>& x, const std::vector<double>& y) {
    return y.empty() ? LineEnd() : LineEnd({x.back(), y.back()});
}

}  // namespace vitrine
