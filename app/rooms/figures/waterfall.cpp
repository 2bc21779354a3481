#include "app/rooms/figures/waterfall.h"

#include <algorithm>
#include <string>
#include <vector>

#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/ui.h"
#include "app/ui/widgets/canvas.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/hot_area.h"
#include "app/ui/widgets/number.h"
#include "app/workspace/selection.h"

namespace vitrine {

namespace {

/// Range of the running sums, including 0; two runs side by side share one range.
struct SumRange {
    double low = 0, high = 0;
};
SumRange sums_of(const Waterfall& figure, Selection& selection) {
    SumRange r;
    double sum = 0;
    for (const WaterfallLine& line : figure.lines) {
        sum += line.added();
        r.low = std::min(r.low, sum);
        r.high = std::max(r.high, sum);
    }
    r.high = static_cast<double>(selection.reach(figure.id + ".high", static_cast<float>(r.high)));
    r.low = -static_cast<double>(selection.reach(figure.id + ".low", static_cast<float>(-r.low)));
    const double room = std::max(1e-9, r.high - r.low) * 0.04;
    return {r.low - (r.low < 0 ? room : 0), r.high + room};
}

/// Layout of the lines of a waterfall chart.
struct WaterfallLayout {
    SumRange range;
    Rect bars;     // between names and numbers, including a row for the sum
    float height;  // height of a line
    float names;   // width of the names
    Font font;
    float letters;  // font height
    bool worded;    // lines have room for text

    float x_of(double sum) const {
        return bars.x0 + bars.width() * static_cast<float>((sum - range.low) / (range.high - range.low));
    }
};
WaterfallLayout waterfall_layout(const Canvas& canvas, const Ui& ui, Rect rect, const Waterfall& figure,
                                 Selection& selection) {
    const Theme& theme = ui.theme;
    const auto rows = static_cast<float>(figure.lines.size() + 1);
    const float most = theme.px(ui.bare ? 96 : 44);  // larger on a slide, which has no other text
    const float height = std::min(most, (rect.height() - theme.px(4)) / rows);
    const float caption = canvas.measure("", Font::caption).y;
    const Font font = height >= theme.px(32) ? Font::body : Font::caption;
    const float least = std::min(theme.px(250), rect.width() * 0.26F), numbers = theme.px(92);
    float names = least;
    for (const WaterfallLine& line : figure.lines)
        names = std::max(names, canvas.measure(line.name, font).x + theme.px(26 + 14));
    names = std::min(names, rect.width() * 0.45F);
    return {sums_of(figure, selection),
            {rect.x0 + names, rect.y0, rect.x1 - numbers, rect.y0 + height * rows},
            height,
            names,
            font,
            canvas.measure("", font).y,
            height >= caption * 0.92F};
}

/// A line, its rectangle, and the sum of all lines before it.
struct LineAt {
    const WaterfallLine& line;
    Rect row;
    double sum;

    double next() const { return sum + line.added(); }
};

/// A line's bar, from the sum before it to the sum with it.
void draw_waterfall_bar(Canvas& canvas, const Ui& ui, const WaterfallLayout& w, const LineAt& at) {
    const Theme& theme = ui.theme;
    const Palette& palette = theme.palette;
    const double next = at.next();
    const float from = w.x_of(std::min(at.sum, next)), to = w.x_of(std::max(at.sum, next));
    const float inset = std::min(theme.px(4), w.height * 0.15F);
    canvas.fill({from, at.row.y0 + inset, std::max(to, from + 1), at.row.y1 - inset},
                at.line.amount < 0 ? palette.negative : palette.positive, theme.px(2));
    canvas.line({w.x_of(next), at.row.y1 - inset}, {w.x_of(next), at.row.y1 + inset}, palette.muted, theme.px(1));
}

/// Draws a line's name, number and bar; returns true if it is clicked.
bool draw_waterfall_line(Canvas& canvas, const Ui& ui, const WaterfallLayout& w, const LineAt& at,
                         const std::string& id) {
    const Theme& theme = ui.theme;
    const Palette& palette = theme.palette;
    const WaterfallLine& line = at.line;
    const std::string number = signed_text(line.amount);
    const Hit hit = hot_area(ui, id, at.row, line.name + " " + number);
    if (hit.at || line.chosen) canvas.fill(at.row, palette.raised, theme.px(4));
    if (w.worded) {
        const float indent = line.inside ? theme.px(26) : theme.px(6);
        const std::string sign = !line.is_block() ? "" : line.open ? "▾ " : "▸ ";
        const float y = at.row.y0 + (w.height - w.letters) / 2;
        const Color ink = line.chosen ? palette.accent : line.inside ? palette.muted : palette.text;
        canvas.text({at.row.x0 + indent, y}, fitted(canvas, sign + line.name, w.font, w.names - indent - theme.px(10)),
                    {w.font, ink, Align::left});
        canvas.text({at.row.x1 - theme.px(6), y}, number,
                    {w.font, line.open ? palette.muted : palette.text, Align::right});
        ui.probe.mark(id + ".written", at.row, line.amount, number);
    }
    if (!line.open) draw_waterfall_bar(canvas, ui, w, at);
    if (hit.at)
        readout(ui, std::vector<std::string>{line.name, number,
                                             ui.text("ledger.so_far", {{"sum", number_text(at.sum + line.amount)}})});
    ui.probe.mark(id + ".amount", at.row, line.amount, number);
    return hit.clicked;
}

/// The sum of all lines, below them.
void draw_sum(Canvas& canvas, const Ui& ui, const WaterfallLayout& w, Rect row, double sum) {
    const Theme& theme = ui.theme;
    const Palette& palette = theme.palette;
    const Font font = w.font == Font::body ? Font::strong : Font::caption;
    const float y = row.y0 + (w.height - canvas.measure("", font).y) / 2,
                inset = std::min(theme.px(4), w.height * 0.2F);
    canvas.line({row.x0, row.y0}, {row.x1, row.y0}, palette.muted, theme.px(1));
    if (w.worded) {
        canvas.text({row.x0 + theme.px(6), y}, ui.text("ledger.sum"), {font, palette.text, Align::left});
        canvas.text({row.x1 - theme.px(6), y}, number_text(sum), {font, palette.text, Align::right});
    }
    canvas.fill({w.x_of(std::min(0.0, sum)), row.y0 + inset, w.x_of(std::max(0.0, sum)), row.y1 - inset}, palette.text,
                theme.px(2));
}

}  // namespace

int waterfall_figure(Canvas& canvas, const Ui& ui, Rect rect, const Waterfall& figure, Selection& selection) {
    const WaterfallLayout w = waterfall_layout(canvas, ui, rect, figure, selection);
    canvas.line({w.x_of(0), w.bars.y0}, {w.x_of(0), w.bars.y1}, ui.theme.palette.line, ui.theme.px(2));
    Rect row{rect.x0, rect.y0, rect.x1, rect.y0 + w.height};
    double sum = 0;
    int clicked = -1;
    for (std::size_t i = 0; i < figure.lines.size(); ++i) {
        const WaterfallLine& line = figure.lines[i];
        if (draw_waterfall_line(canvas, ui, w, {line, row, sum}, figure.id + "." + line.id))
            clicked = static_cast<int>(i);
        sum += line.added();
        row.y0 = row.y1;
        row.y1 += w.height;
    }
    draw_sum(canvas, ui, w, row, sum);
    ui.probe.mark(figure.id + ".sum", row, sum, number_text(sum));
    return clicked;
}

}  // namespace vitrine
