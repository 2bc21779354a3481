#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/rooms/figures/figures.h"
#include "app/rooms/laboratory/laboratory.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/canvas.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/hot_area.h"
#include "app/ui/widgets/number.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "core/measures/relevance.h"

namespace vitrine {

namespace {

using Part = LedgerEntry::Part;

/// A line of the waterfall: one entry, or the sum of a block's.
struct Line {
    std::string id, name;
    float amount = 0;
    int block = 0;  // unfolded or folded by a click; 0: none
    int head = -1;  // chosen by a click
    bool inside = false;
    bool open = false;  // its parts are listed below it, and `amount` is their sum

    float added() const { return open ? 0 : amount; }
};

std::string name_of_part(const Ui& ui, const LedgerEntry& e) {
    switch (e.part) {
        case Part::embedding: return ui.text("ledger.embedding");
        case Part::head: return ui.text("ledger.head", {{"head", ui.ordinal(e.head)}});
        case Part::projection_bias: return ui.text("ledger.projection_bias");
        case Part::mlp: return ui.text("ledger.mlp");
        case Part::pooling_bias: return ui.text("ledger.pooling_bias");
        case Part::pooling_mlp: return ui.text("ledger.pooling_mlp");
        case Part::norms: return ui.text("ledger.norms");
        case Part::classifier_bias: return ui.text("ledger.classifier_bias");
        case Part::rest: return ui.text("ledger.rest");
    }
    return "";
}

/// The lines: entries outside the blocks, one line per block, and the parts of the unfolded block.
std::vector<Line> lines_of(const LabScene& lab, int unfolded) {
    const Ui& ui = lab.scene.ui;
    const Ledger& ledger = *lab.measured.ledger;
    const Target& target = lab.measured.target;
    std::vector<Line> lines;
    std::size_t header = 0;  // line of the entry's block
    for (std::size_t i = 0; i < ledger.entries.size(); ++i) {
        const LedgerEntry& e = ledger.entries[i];
        const float amount = ledger.contribution(i, target.index, target.against.value_or(-1));
        if (e.block == 0) {
            lines.push_back({name_of(e), name_of_part(ui, e), amount});
            continue;
        }
        const std::string id = "block." + std::to_string(e.block);
        if (lines.empty() || lines.back().block != e.block)
            lines.push_back({id, ui.text("ledger.block", {{"block", ui.ordinal(e.block - 1)}}), 0, e.block});
        if (lines.back().block == e.block && !lines.back().inside) header = lines.size() - 1;
        lines[header].amount += amount;
        lines[header].open = e.block == unfolded;
        if (e.block == unfolded)
            lines.push_back(
                {name_of(e), name_of_part(ui, e), amount, e.block, e.part == Part::head ? e.head : -1, true});
    }
    return lines;
}

/// Range of the running sums, including 0; of two runs side by side that of both.
struct Range {
    double low = 0, high = 0;
};
Range range_of(const std::vector<Line>& lines, Selection& selection) {
    Range r;
    double sum = 0;
    for (const Line& line : lines) {
        sum += static_cast<double>(line.added());
        r.low = std::min(r.low, sum);
        r.high = std::max(r.high, sum);
    }
    r.high = static_cast<double>(selection.common_reach("ledger.high", static_cast<float>(r.high)));
    r.low = -static_cast<double>(selection.common_reach("ledger.low", static_cast<float>(-r.low)));
    const double room = std::max(1e-9, r.high - r.low) * 0.04;
    return {r.low - (r.low < 0 ? room : 0), r.high + room};
}

void click_line(const Line& line, Selection& selection) {
    Focus& focus = selection.focus;
    if (line.head >= 0) {
        focus.block = line.block;
        focus.head = line.head;
    } else if (line.block > 0 && !line.inside) {
        focus.lab.unfolded = focus.lab.unfolded == line.block ? 0 : line.block;
    }
}

/// The logit or lead that is taken apart, and the model's own value.
void draw_title(const LabScene& lab) {
    const Scene& scene = lab.scene;
    const Ui& ui = scene.ui;
    const Theme& theme = ui.theme;
    const Rect& a = scene.area;
    const Target& target = lab.measured.target;
    const std::string own = class_name(ui, *scene.now.model, target.index);
    const std::string title =
        target.against
            ? ui.text("ledger.lead", {{"class", own}, {"other", class_name(ui, *scene.now.model, *target.against)}})
            : ui.text("ledger.logit", {{"class", own}});
    const HeadTrace& head = *scene.now.trace.head;
    double told = static_cast<double>(head.logits(0, static_cast<std::size_t>(target.index)));
    if (target.against) told -= static_cast<double>(head.logits(0, static_cast<std::size_t>(*target.against)));
    const std::string says = ui.text("ledger.model_says", {{"logit", number_text(told)}});
    text_line(scene, {a.x0, a.y0}, a.width() * 0.6F, title, Font::strong);
    scene.canvas.text({a.x1 - theme.px(6), a.y0}, says, {Font::body, theme.palette.muted, Align::right});
    ui.probe.mark("ledger.told", {a.x0, a.y0, a.x1, a.y0 + theme.px(24)}, told, says);
}

/// Layout of the lines below the title.
struct Waterfall {
    Range range;
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
Waterfall waterfall_of(const Scene& scene, const std::vector<Line>& lines, Selection& selection) {
    const Theme& theme = scene.ui.theme;
    const Rect& a = scene.area;
    const auto rows = static_cast<float>(lines.size() + 1);
    const float top = a.y0 + theme.px(30);
    const float height = std::min(theme.px(44), (a.y1 - top - theme.px(4)) / rows);
    const float caption = scene.canvas.measure("", Font::caption).y;
    const Font font = height >= theme.px(32) ? Font::body : Font::caption;
    const float names = std::min(theme.px(250), a.width() * 0.26F), numbers = theme.px(92);
    return {range_of(lines, selection),
            {a.x0 + names, top, a.x1 - numbers, top + height * rows},
            height,
            names,
            font,
            scene.canvas.measure("", font).y,
            height >= caption * 0.92F};
}

/// A line, its top edge, and the sum of all lines before it.
struct LineAt {
    const Line& line;
    float y;
    double sum;

    double next() const { return sum + static_cast<double>(line.added()); }
};

/// A line's bar, from the sum before it to the sum with it.
void draw_bar(const Scene& scene, const Waterfall& w, const LineAt& at) {
    const Theme& theme = scene.ui.theme;
    const Palette& palette = theme.palette;
    const double next = at.next();
    const float y = at.y, from = w.x_of(std::min(at.sum, next)), to = w.x_of(std::max(at.sum, next));
    const float inset = std::min(theme.px(4), w.height * 0.15F);
    scene.canvas.fill({from, y + inset, std::max(to, from + 1), y + w.height - inset},
                      at.line.amount < 0 ? palette.negative : palette.positive, theme.px(2));
    scene.canvas.line({w.x_of(next), y + w.height - inset}, {w.x_of(next), y + w.height + inset}, palette.muted,
                      theme.px(1));
}

/// A line's name, number and bar; a click chooses its head or unfolds its block.
void draw_line(const Scene& scene, const Waterfall& w, const LineAt& at, Selection& selection) {
    const Ui& ui = scene.ui;
    const Theme& theme = ui.theme;
    const Palette& palette = theme.palette;
    const Focus& focus = selection.focus;
    const Rect& a = scene.area;
    const Line& line = at.line;
    const float y = at.y;
    const Rect row{a.x0, y, a.x1, y + w.height};
    const std::string number = signed_text(static_cast<double>(line.amount));
    const Hit hit = hot_area(ui, "ledger." + line.id, row, line.name + " " + number);
    const bool chosen = line.head >= 0 && line.block == focus.block && line.head == focus.head;
    if (hit.at || chosen) scene.canvas.fill(row, palette.raised, theme.px(4));
    const bool folded_block = line.block > 0 && !line.inside, open = line.open;
    if (w.worded) {
        const float indent = line.inside ? theme.px(26) : theme.px(6);
        const std::string sign = !folded_block ? "" : open ? "▾ " : "▸ ";
        const float text_y = y + (w.height - w.letters) / 2;
        text_line(scene, {a.x0 + indent, text_y}, w.names - indent - theme.px(10), sign + line.name, w.font,
                  chosen        ? palette.accent
                  : line.inside ? palette.muted
                                : palette.text);
        scene.canvas.text({a.x1 - theme.px(6), text_y}, number,
                          {w.font, open ? palette.muted : palette.text, Align::right});
        ui.probe.mark("ledger." + line.id + ".written", row, static_cast<double>(line.amount), number);
    }
    if (!open) draw_bar(scene, w, at);
    if (hit.at)
        readout(ui, std::vector<std::string>{
                        line.name, number,
                        ui.text("ledger.so_far", {{"sum", number_text(at.sum + static_cast<double>(line.amount))}})});
    if (hit.clicked) click_line(line, selection);
    ui.probe.mark("ledger." + line.id + ".amount", row, static_cast<double>(line.amount), number);
}

/// The sum of all lines, below them.
void draw_total(const Scene& scene, const Waterfall& w, float y, double sum) {
    const Theme& theme = scene.ui.theme;
    const Palette& palette = theme.palette;
    const Rect total{scene.area.x0, y, scene.area.x1, y + w.height};
    scene.canvas.line({total.x0, total.y0}, {total.x1, total.y0}, palette.muted, theme.px(1));
    text_line(scene, {total.x0 + theme.px(6), y + theme.px(4)}, w.names, scene.ui.text("ledger.sum"), Font::strong);
    scene.canvas.text({total.x1 - theme.px(6), y + theme.px(4)}, number_text(sum),
                      {Font::strong, palette.text, Align::right});
    scene.canvas.fill(
        {w.x_of(std::min(0.0, sum)), y + theme.px(6), w.x_of(std::max(0.0, sum)), y + w.height - theme.px(2)},
        palette.text, theme.px(2));
    scene.ui.probe.mark("ledger.sum", total, sum, number_text(sum));
}

}  // namespace

void ledger_view(const LabScene& lab, Selection& selection) {
    const Scene& scene = lab.scene;
    const Theme& theme = scene.ui.theme;
    if (scene.now.model->config.classes == 0) return say(lab, scene.ui.text("lab.no_classes"));
    if (!lab.measured.ledger) return say_missing(lab);
    const std::vector<Line> lines = lines_of(lab, selection.focus.lab.unfolded);
    draw_title(lab);
    const Waterfall w = waterfall_of(scene, lines, selection);
    scene.canvas.line({w.x_of(0), w.bars.y0}, {w.x_of(0), w.bars.y1}, theme.palette.line, theme.px(2));
    const auto y_of = [&](std::size_t row) { return w.bars.y0 + w.height * static_cast<float>(row); };
    double sum = 0;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        draw_line(scene, w, {lines[i], y_of(i), sum}, selection);
        sum += static_cast<double>(lines[i].added());
    }
    draw_total(scene, w, y_of(lines.size()), sum);
}

}  // namespace vitrine
