#include <algorithm>
#include <cmath>

#include "app/rooms/figures/difference.h"
#include "app/rooms/figures/figures.h"
#include "app/rooms/laboratory/cause_figures.h"
#include "app/rooms/laboratory/instrument_table.h"
#include "app/rooms/laboratory/lab_difference.h"
#include "app/rooms/panels/choices.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/canvas.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/heatmap.h"
#include "app/ui/widgets/hot_area.h"
#include "app/ui/widgets/number.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "core/measures/patching.h"
#include "core/vit/readout.h"

namespace vitrine {

namespace {

/// The name of a cell of the patching map: its head, or its block and token.
std::string place_of_cell(const LabScene& lab, int block, int part) {
    const Ui& ui = lab.scene.ui;
    if (is_by_head(lab.measured.site)) return head_name(ui, block, part);
    return ui.text("causes.place", {{"block", ui.ordinal(block - 1)}, {"token", token_name(ui, lab.scene.now, part)}});
}

/// The reason why there is no map; empty if there is one, or will be.
std::string no_patching(const LabScene& lab) {
    const Ui& ui = lab.scene.ui;
    const OtherRun* const other = lab.scene.other;
    if (lab.scene.now.model->config.classes < 2) return ui.text("patching.classes");
    if (other == nullptr) return ui.text("patching.alone");
    if (other->now.model != lab.scene.now.model) return ui.text("patching.models");
    if (!lab.measured.patching || lab.measured.patching->logits.differ()) return "";
    const PatchedLogits& m = lab.measured.patching->logits;
    return ui.text("patching.same", {{"chosen", class_of(lab, m.chosen)}, {"other", class_of(lab, m.other)}});
}

/// The table block × token or block × head; a click chooses block and token, or head.
void draw_returned(const LabScene& lab, Rect rect, const ColourScale& scale, Selection& selection) {
    const Scene& scene = lab.scene;
    const Ui& ui = scene.ui;
    const Theme& theme = ui.theme;
    const PatchingMap& map = *lab.measured.patching;
    const bool heads = is_by_head(lab.measured.site);
    const int blocks = static_cast<int>(map.returned.shape()[0]), parts = static_cast<int>(map.returned.shape()[1]);
    const CauseGrid grid =
        grid_of_blocks(scene, rect, {blocks, parts}, ui.text(heads ? "causes.head" : "causes.token"));
    draw_heat(lab, grid, map.returned, scale);
    if (const int whole = map.done / parts; whole < blocks)
        hatch(scene.canvas, {grid.cells.x0, grid.cell(whole, 0).y0, grid.cells.x1, grid.cells.y1}, theme.palette.muted,
              theme.px(8));
    const Focus& focus = selection.focus;
    if (const int part = heads ? focus.head : focus.token; part < parts && focus.block <= blocks)
        outline_cell(scene.canvas, ui, grid.cell(focus.block - 1, part), theme.palette.text);
    const Hit hit = hot_area(ui, "patching.table", grid.cells, ui.text("patching.caption"), {blocks, parts});
    const auto cell = hit.at ? cell_at(grid.cells, grid.size, *hit.at) : std::nullopt;
    if (!cell) return;
    const double value =
        static_cast<double>(map.returned(static_cast<std::size_t>(cell->row), static_cast<std::size_t>(cell->column)));
    outline_cell(scene.canvas, ui, grid.cell(cell->row, cell->column), theme.palette.accent);
    readout(ui, std::vector<std::string>{place_of_cell(lab, cell->row + 1, cell->column),
                                         ui.text("patching.told", {{"value", number_text(value)}})});
    ui.probe.mark("patching.told", grid.cell(cell->row, cell->column), value);
    if (!heads) selection.hover_token(cell->column);
    if (!hit.clicked) return;
    selection.focus.block = cell->row + 1;
    (heads ? selection.focus.head : selection.focus.token) = cell->column;
}

/// The cell that restores most of the other run's answer, in words. If the classifier reads a single token, that
/// token's stream after the last block restores the answer for any images, so the best cell of other tokens is named.
std::string most_returned(const LabScene& lab) {
    const Tensor2& returned = lab.measured.patching->returned;
    const Config& c = lab.scene.now.model->config;
    const int blocks = static_cast<int>(returned.shape()[0]), parts = static_cast<int>(returned.shape()[1]);
    const std::vector<ReadTokens> read = read_parts(c);
    const auto brings_all_back = [&](int token) {  // false if a what-if changes this run's classifier
        const float value = returned(static_cast<std::size_t>(blocks - 1), static_cast<std::size_t>(token));
        return lab.measured.patching->done < lab.measured.patching->total || std::abs(value - 1) < 1e-3F;
    };
    const bool alone = lab.measured.site == PatchSite::stream && read.size() == 1 && read.front().one() &&
                       brings_all_back(read.front().first);
    int most = -1;
    for (int cell = 0; cell < blocks * parts; ++cell)
        if ((!alone || !read.front().has(cell % parts)) && (most < 0 || returned.data()[cell] > returned.data()[most]))
            most = cell;
    if (most < 0) return {};
    const std::string place = place_of_cell(lab, most / parts + 1, most % parts),
                      share = number_text(static_cast<double>(returned.data()[most]));
    if (!alone) return lab.scene.ui.text("patching.most", {{"place", place}, {"share", share}});
    return lab.scene.ui.text(
        "patching.most_other",
        {{"last", place_of_cell(lab, blocks, read.front().first)}, {"place", place}, {"share", share}});
}

void patching_figure(const LabScene& lab, Selection& selection, WhatIfs&) {
    const Scene& scene = lab.scene;
    const Ui& ui = scene.ui;
    if (const std::string why = no_patching(lab); !why.empty()) {
        say(lab, why);
        ui.probe.mark("patching.refused", scene.area, 0, why);
        return;
    }
    if (!lab.measured.patching) return report_missing(lab);
    const PatchingMap& map = *lab.measured.patching;
    const Rect above =
        words_below(lab, "patching.done",
                    ui.text("patching.numbers", {{"image", image_title(ui.text, *lab.measured.patched_from->image)},
                                                 {"class", class_of(lab, map.logits.chosen)},
                                                 {"other", class_of(lab, map.logits.other)},
                                                 {"clean", number_text(map.logits.clean)},
                                                 {"plain", number_text(map.logits.plain)},
                                                 {"done", count_text(map.done)},
                                                 {"total", count_text(map.total)}}) +
                        " " + most_returned(lab),
                    static_cast<double>(map.done) / map.total);
    const float reach = selection.reach("causes.patching", std::max(largest_size(map.returned), 0.1F));
    const ColourScale scale{ColourMap::diverging, -reach, reach, Curve::root};  // a few parts set the range
    const bool heads = is_by_head(lab.measured.site);
    const float bar = height_of_bar(lab), gap = ui.theme.px(8);
    const float share = heads ? 1.0F : 0.5F;
    const Rect table{above.x0, above.y0, above.x1, above.y0 + (above.height() - bar) * share - gap};
    draw_returned(lab, table, scale, selection);
    const Rect strip{above.x0, table.y1 + gap, above.x1, table.y1 + gap + bar};
    const std::string& caption = ui.text("patching.caption");
    scale_bar(scene, strip, {scale, ui.text("compare.signed_root", {{"caption", caption}}), "", "±√ · " + caption});
    const int block = std::min(selection.focus.block, static_cast<int>(map.returned.shape()[0]));
    if (heads || above.y1 - strip.y1 < ui.theme.px(60)) return;
    // The chosen block's row of the table, as a map of the image.
    const Rect below{above.x0, strip.y1 + gap, above.x1, above.y1};
    const float line =
        text_line(scene, {below.x0, below.y0}, below.width(),
                  ui.text("patching.block", {{"block", ui.ordinal(block - 1)}}), Font::caption, ui.theme.palette.muted);
    const Rect figure = fit({below.x0, below.y0 + line + gap / 2, below.x1, below.y1}, grid_aspect(lab));
    const Rect place{below.x0, figure.y0, below.x0 + figure.width(), figure.y1};
    patch_map(lab, place,
              {"patching.map", scene.now.model->config.patches_of(row_of(map.returned, block - 1)), scale, false, "R"},
              selection);
}

void patching_controls(const LabControls& controls) {
    choice(controls.explanation.ui, "lab.site", patch_site_names, controls.explanation.selection.focus.lab.site, 2);
}

/// Nothing: patching itself compares both runs.
Comparison compare_patching(const LabPair& p) { return no_comparison(p, "difference.patching"); }

}  // namespace

const CauseRow patching_row = {.figure = CauseFigure::patching,
                               .draw = patching_figure,
                               .controls = patching_controls,
                               .compared = compare_patching,
                               .grows = [](const Laboratory&) { return true; },
                               .patches = true};

}  // namespace vitrine
