#include <imgui.h>

#include <algorithm>

#include "app/rooms/figures/figures.h"
#include "app/rooms/figures/waterfall.h"
#include "app/rooms/laboratory/laboratory.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/ui.h"
#include "app/ui/widgets/canvas.h"
#include "app/ui/widgets/number.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "core/measures/relevance.h"

namespace vitrine {

namespace {

using Part = LedgerEntry::Part;

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
std::vector<WaterfallLine> lines_of(const LabScene& lab, const Focus& focus) {
    const Ui& ui = lab.scene.ui;
    const Ledger& ledger = *lab.measured.ledger;
    const Target& target = lab.measured.target;
    std::vector<WaterfallLine> lines;
    std::size_t header = 0;  // line of the entry's block
    for (std::size_t i = 0; i < ledger.entries.size(); ++i) {
        const LedgerEntry& e = ledger.entries[i];
        const auto amount = static_cast<double>(ledger.contribution(i, target.index, target.against.value_or(-1)));
        if (e.block == 0) {
            lines.push_back({name_of(e), name_of_part(ui, e), amount});
            continue;
        }
        const std::string id = "block." + std::to_string(e.block);
        if (lines.empty() || lines.back().block != e.block)
            lines.push_back({id, ui.text("ledger.block", {{"block", ui.ordinal(e.block - 1)}}), 0, e.block});
        if (lines.back().is_block()) header = lines.size() - 1;
        lines[header].amount += amount;
        lines[header].open = e.block == focus.lab.unfolded;
        if (!lines[header].open) continue;
        const bool chosen = e.part == Part::head && e.block == focus.block && e.head == focus.head;
        lines.push_back(
            {name_of(e), name_of_part(ui, e), amount, e.block, e.part == Part::head ? e.head : -1, true, chosen});
    }
    return lines;
}

void click_line(const WaterfallLine& line, Focus& focus) {
    if (line.part >= 0) {
        focus.block = line.block;
        focus.head = line.part;
    } else if (line.is_block()) {
        focus.lab.unfolded = focus.lab.unfolded == line.block ? 0 : line.block;
    }
}

/// The name of the decomposed logit or lead, and its value from the model.
void draw_title(const LabScene& lab) {
    const Scene& scene = lab.scene;
    const Ui& ui = scene.ui;
    const Theme& theme = ui.theme;
    const Rect& a = scene.area;
    const Target& target = lab.measured.target;
    const std::string own = class_in_words(ui, *scene.now.model, target.index);
    const std::string title =
        target.against
            ? ui.text("ledger.lead", {{"class", own}, {"other", class_in_words(ui, *scene.now.model, *target.against)}})
            : ui.text("ledger.logit", {{"class", own}});
    const HeadTrace& head = *scene.now.trace.head;
    double told = static_cast<double>(head.logits(0, static_cast<std::size_t>(target.index)));
    if (target.against) told -= static_cast<double>(head.logits(0, static_cast<std::size_t>(*target.against)));
    const std::string says = ui.text("ledger.model_says", {{"logit", number_text(told)}});
    text_line(scene, {a.x0, a.y0}, a.width() * 0.6F, title, Font::strong);
    scene.canvas.text({a.x1 - theme.px(6), a.y0}, says, {Font::body, theme.palette.muted, Align::right});
    ui.probe.mark("ledger.told", {a.x0, a.y0, a.x1, a.y0 + theme.px(24)}, told, says);
}

}  // namespace

void ledger_view(const LabScene& lab, Selection& selection) {
    const Scene& scene = lab.scene;
    if (scene.now.model->config.classes == 0) return say(lab, scene.ui.text("lab.no_classes"));
    if (!lab.measured.ledger) return report_missing(lab);
    const std::vector<WaterfallLine> lines = lines_of(lab, selection.focus);
    draw_title(lab);
    const Rect& a = scene.area;
    const int clicked = waterfall_figure(scene.canvas, scene.ui, {a.x0, a.y0 + scene.ui.theme.px(30), a.x1, a.y1},
                                         {"ledger", lines}, selection);
    if (clicked >= 0) click_line(lines[static_cast<std::size_t>(clicked)], selection.focus);
}

}  // namespace vitrine
