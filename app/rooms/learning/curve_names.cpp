#include "app/rooms/learning/curve_names.h"

#include <algorithm>

#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/canvas.h"

namespace vitrine {

Color run_color(const Ui& ui, int run) { return run == 0 ? ui.theme.palette.query : ui.theme.palette.key; }

namespace {

void draw_ends(Canvas& canvas, const Ui& ui, const Plot& plot, CurveNames& names) {
    std::ranges::sort(names.ends, {}, [](const CurveEnd& end) { return end.at.y; });
    const float line = canvas.measure("", Font::strong).y, gap = ui.theme.px(4);
    const float pitch = line * 0.8F;
    float lowest = -1e9F, highest = plot.area().y1 - line - pitch * static_cast<float>(names.ends.size());
    for (const CurveEnd& end : names.ends) {
        highest += pitch;  // keeps names above the axis's numbers
        const float y = std::max(std::min(end.at.y - line / 2, highest), lowest);
        canvas.fill({end.at.x + gap, y + 0.15F * line, end.at.x + gap + canvas.measure(end.name, Font::strong).x,
                     y + 0.85F * line},
                    ui.theme.palette.panel.with_alpha(0.85F));  // keeps the name readable over grid lines
        canvas.text({end.at.x + gap, y}, end.name, {Font::strong, end.color, Align::left});
        ui.probe.mark(names.id + ".end." + end.name, {end.at.x, y, end.at.x + 2 * gap, y + line}, 0, end.name);
        lowest = y + pitch;
    }
}

void explain_empty_plot(Canvas& canvas, const Ui& ui, Rect area) {
    const std::string words = fitted(canvas, ui.text("learn.no_curve"), Font::body, area.width());
    const float line = canvas.measure("", Font::body).y;
    const float half = canvas.measure(words, Font::body).x / 2 + ui.theme.px(8);
    const Point middle = area.centre();
    canvas.fill({middle.x - half, middle.y - line / 2, middle.x + half, middle.y + line / 2}, ui.theme.palette.panel);
    canvas.text({middle.x, middle.y - line / 2}, words, {Font::body, ui.theme.palette.muted, Align::centre});
}

}  // namespace

void name_curves(Canvas& canvas, const Ui& ui, const Plot& plot, CurveNames names) {
    const std::vector<LegendEntry> all = plot.entries();
    if (all.empty()) explain_empty_plot(canvas, ui, plot.area());
    if (all.size() > names.runs) legend(canvas, ui, names.line, all, names.id + ".legend");
    draw_ends(canvas, ui, plot, names);
}

}  // namespace vitrine
