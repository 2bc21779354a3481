#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/rooms/figures/figures.h"
#include "app/rooms/laboratory/laboratory.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/hot_area.h"
#include "app/ui/widgets/number.h"
#include "app/workspace/result.h"

namespace vitrine {

namespace {

using Part = LedgerEntry::Part;

/// A line of the waterfall: one entry, or a block's entries together.
struct Line {
    std::string id, name;
    float amount = 0;
    int block = 0;  // that a click unfolds or folds; 0: none
    int head = -1;  // that a click chooses
    bool inside = false;
};

std::string name_of_part(const Ui& ui, const LedgerEntry& e) {
    switch (e.part) {
        case Part::embedding: return ui.text("ledger.embedding");
        case Part::head: return ui.text("ledger.head", {{"head", std::to_string(e.head)}});
        case Part::projection_bias: return ui.text("ledger.projection_bias");
        case Part::mlp: return ui.text("ledger.mlp");
        case Part::norms: return ui.text("ledger.norms");
        case Part::classifier_bias: return ui.text("ledger.classifier_bias");
        case Part::rest: return ui.text("ledger.rest");
    }
    return "";
}

/// Every entry outside the blocks, every block as one line, the unfolded one as its parts.
std::vector<Line> lines_of(const LabScene& lab, int unfolded) {
    const Ui& ui = lab.scene.ui;
    const Ledger& ledger = *lab.measured.ledger;
    const Target& target = lab.measured.target;
    std::vector<Line> lines;
    for (std::size_t i = 0; i < ledger.entries.size(); ++i) {
        const LedgerEntry& e = ledger.entries[i];
        const float amount = ledger.contribution(i, target.index, target.against.value_or(-1));
        if (e.block == 0) {
            lines.push_back({name_of(e), name_of_part(ui, e), amount});
            continue;
        }
        const std::string id = "block." + std::to_string(e.block);
        if (lines.empty() || lines.back().block != e.block)
            lines.push_back({id, ui.text("ledger.block", {{"block", std::to_string(e.block)}}), 0, e.block});
        if (e.block == unfolded) {
            Line part{name_of(e), name_of_part(ui, e), amount, e.block, e.part == Part::head ? e.head : -1, true};
            lines.push_back(part);
        } else {
            lines.back().amount += amount;
        }
    }
    return lines;
}

/// Where the sums lie: from the smallest to the largest on the way, 0 always among them.
struct Range {
    double low = 0, high = 0;
};
Range range_of(const std::vector<Line>& lines) {
    Range r;
    double sum = 0;
    for (const Line& line : lines) {
        sum += static_cast<double>(line.amount);
        r.low = std::min(r.low, sum);
        r.high = std::max(r.high, sum);
    }
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
        focus.block = line.block;
    }
}

}  // namespace

void ledger_view(const LabScene& lab, Selection& selection) {
    const Scene& scene = lab.scene;
    const Ui& ui = scene.ui;
    const Theme& theme = ui.theme;
    const Palette& palette = theme.palette;
    if (scene.now.model->config.classes == 0) return say(lab, ui.text("lab.no_classes"));
    if (!lab.measured.ledger) return say_missing(lab);
    const Focus& focus = selection.focus;
    const Target& target = lab.measured.target;
    const std::string own = class_name(ui, *scene.now.model, target.index);
    const std::string title =
        target.against
            ? ui.text("ledger.lead", {{"class", own}, {"other", class_name(ui, *scene.now.model, *target.against)}})
            : ui.text("ledger.logit", {{"class", own}});

    const Rect& a = scene.area;
    const std::vector<Line> lines = lines_of(lab, focus.lab.unfolded);
    const Range range = range_of(lines);
    const float caption = scene.canvas.measure("", Font::caption).y;
    const HeadTrace& head = *scene.now.trace.head;
    double told = static_cast<double>(head.logits(0, static_cast<std::size_t>(target.index)));
    if (target.against) told -= static_cast<double>(head.logits(0, static_cast<std::size_t>(*target.against)));
    const std::string says = ui.text("ledger.model_says", {{"logit", number_text(told)}});
    text_line(scene, {a.x0, a.y0}, a.width() * 0.6F, title, Font::strong);
    scene.canvas.text({a.x1 - theme.px(6), a.y0}, says, {Font::body, palette.muted, Align::right});
    ui.probe.mark("ledger.told", {a.x0, a.y0, a.x1, a.y0 + theme.px(24)}, told, says);
    const float top = a.y0 + theme.px(30);
    const float height = std::min(theme.px(44), (a.y1 - top - theme.px(4)) / static_cast<float>(lines.size() + 1));
    const bool worded = height >= caption * 0.92F;
    const Font font = height >= theme.px(32) ? Font::body : Font::caption;
    const float letters = scene.canvas.measure("", font).y;
    const float names = std::min(theme.px(250), a.width() * 0.26F), numbers = theme.px(92);
    const Rect bars{a.x0 + names, top, a.x1 - numbers, top + height * static_cast<float>(lines.size() + 1)};
    const auto x_of = [&](double sum) {
        return bars.x0 + bars.width() * static_cast<float>((sum - range.low) / (range.high - range.low));
    };
    scene.canvas.line({x_of(0), bars.y0}, {x_of(0), bars.y1}, palette.line, theme.px(2));

    double sum = 0;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const Line& line = lines[i];
        const float y = top + height * static_cast<float>(i);
        const Rect row{a.x0, y, a.x1, y + height};
        const double next = sum + static_cast<double>(line.amount);
        const std::string number = signed_text(static_cast<double>(line.amount));
        const Hit hit = hot_area(ui, "ledger." + line.id, row, line.name + " " + number);
        const bool chosen = line.head >= 0 && line.block == focus.block && line.head == focus.head;
        if (hit.at || chosen) scene.canvas.fill(row, palette.raised, theme.px(4));
        const bool folded_block = line.block > 0 && !line.inside;
        const bool open = folded_block && focus.lab.unfolded == line.block;
        if (worded) {
            const float indent = line.inside ? theme.px(26) : theme.px(6);
            const std::string sign = !folded_block ? "" : open ? "▾ " : "▸ ";
            const float text_y = y + (height - letters) / 2;
            text_line(scene, {a.x0 + indent, text_y}, names - indent - theme.px(10), sign + line.name, font,
                      chosen        ? palette.accent
                      : line.inside ? palette.muted
                                    : palette.text);
            if (!open) scene.canvas.text({a.x1 - theme.px(6), text_y}, number, {font, palette.text, Align::right});
        }
        if (!open) {
            const float from = x_of(std::min(sum, next)), to = x_of(std::max(sum, next));
            const float inset = std::min(theme.px(4), height * 0.15F);
            scene.canvas.fill({from, y + inset, std::max(to, from + 1), y + height - inset},
                              line.amount < 0 ? palette.negative : palette.positive, theme.px(2));
            scene.canvas.line({x_of(next), y + height - inset}, {x_of(next), y + height + inset}, palette.muted,
                              theme.px(1));
        }
        if (hit.at)
            readout(ui, std::vector<std::string>{line.name, number,
                                                 ui.text("ledger.so_far", {{"sum", number_text(next)}})});
        if (hit.clicked) click_line(line, selection);
        ui.probe.mark("ledger." + line.id + ".amount", row, static_cast<double>(line.amount), number);
        sum = next;
    }
    const float y = top + height * static_cast<float>(lines.size());
    const Rect total{a.x0, y, a.x1, y + height};
    scene.canvas.line({total.x0, total.y0}, {total.x1, total.y0}, palette.muted, theme.px(1));
    text_line(scene, {total.x0 + theme.px(6), y + theme.px(4)}, names, ui.text("ledger.sum"), Font::strong);
    scene.canvas.text({total.x1 - theme.px(6), y + theme.px(4)}, number_text(sum),
                      {Font::strong, palette.text, Align::right});
    scene.canvas.fill({x_of(std::min(0.0, sum)), y + theme.px(6), x_of(std::max(0.0, sum)), y + height - theme.px(2)},
                      palette.accent, theme.px(2));
    ui.probe.mark("ledger.sum", total, sum, number_text(sum));
}

}  // namespace vitrine
