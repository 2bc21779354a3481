#include <algorithm>
#include <cassert>
#include <cmath>

#include "app/rooms/figures/figures.h"
#include "app/rooms/laboratory/cause_figures.h"
#include "app/rooms/laboratory/instrument_table.h"
#include "app/rooms/laboratory/lab_difference.h"
#include "app/rooms/panels/choices.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/canvas.h"
#include "app/ui/widgets/heatmap.h"
#include "app/workspace/command.h"
#include "app/workspace/over_images.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "core/training/own_pictures.h"

namespace vitrine {

namespace {

constexpr float widest_cell = 120, highest_cell = 96;  // px at scale 1

/// Number of cells from one numbered cell to the next, so that the numbers do not touch.
int step_of_numbers(float needed, float cell) { return std::max(1, static_cast<int>(std::ceil(needed / cell))); }

constexpr const CauseRow* cause_figures[] = {&importance_row, &pruning_row, &patching_row, &perturbation_row};

}  // namespace

CauseGrid grid_of_blocks(const Scene& scene, Rect rect, GridSize size, const std::string& parts) {
    const Ui& ui = scene.ui;
    const Theme& theme = ui.theme;
    const auto width_of = [&](int i) { return scene.canvas.measure(ui.ordinal(i), Font::caption).x; };
    const float line = scene.canvas.measure("", Font::caption).y, gap = theme.px(6);
    const float left = width_of(size.rows - 1) + gap;
    text_line(scene, {rect.x0, rect.y0}, rect.width(), ui.text("causes.axes", {{"parts", parts}}), Font::caption,
              theme.palette.muted);
    const float x0 = rect.x0 + left, y0 = rect.y0 + 2 * line + gap;
    const float width =
                    std::floor(std::min((rect.x1 - x0) / static_cast<float>(size.columns), theme.px(widest_cell)) * 8) /
                    8,
                height = std::min((rect.y1 - y0) / static_cast<float>(size.rows), theme.px(highest_cell));
    const CauseGrid grid{
        {x0, y0, x0 + width * static_cast<float>(size.columns), y0 + height * static_cast<float>(size.rows)}, size};
    const TextStyle style{Font::caption, theme.palette.muted, Align::centre};
    for (int row = 0; row < size.rows; row += step_of_numbers(line, height))
        scene.canvas.text({x0 - gap, grid.cell(row, 0).centre().y - line / 2}, ui.ordinal(row),
                          {Font::caption, style.color, Align::right});
    const float needed = width_of(size.columns - 1) + gap;
    if (size.columns <= 64)
        for (int column = 0; column < size.columns; column += step_of_numbers(needed, width))
            scene.canvas.text({grid.cell(0, column).centre().x, y0 - line - gap / 2}, ui.ordinal(column), style);
    return grid;
}

void draw_heat(const LabScene& lab, const CauseGrid& grid, const Tensor2& values, const ColourScale& scale) {
    lab.scene.canvas.heat_map(grid.cells, {values.data(), grid.size.rows, grid.size.columns, scale});
    lab.scene.canvas.stroke(grid.cells, lab.scene.ui.theme.palette.line, lab.scene.ui.theme.px(1));
}

float height_of_bar(const LabScene& lab) {
    return lab.scene.ui.theme.px(34) + 2 * lab.scene.canvas.measure("", Font::caption).y;
}

float largest_size(std::span<const float> values) {
    float most = 0;
    for (const float x : values) most = std::max(most, std::abs(x));
    return most;
}

std::string class_of(const LabScene& lab, int index) { return class_name(lab.scene.ui, *lab.scene.now.model, index); }

/// The choice of the images to measure: drawn pictures, or the images in a folder.
void images_controls(const LabControls& controls) {
    const Ui& ui = controls.explanation.ui;
    Laboratory& lab = controls.explanation.selection.focus.lab;
    control_label(ui, lab.images.empty() ? ui.text("images.label_drawn")
                                         : ui.text("images.label", {{"folder", name_of_folder(lab.images)}}));
    if (button(ui, {"lab.images.choose", ui.text("images.choose"), ui.text("images.choose_tip"), {}},
               {Emphasis::plain, Icon::folder, -1}))
        controls.commands.add(command::ShowDialog{"image_folder"});
    if (!lab.images.empty() &&
        button(ui, {"lab.images.drawn", ui.text("images.use_drawn"), ui.text("images.use_drawn_tip"), {}},
               {Emphasis::quiet, {}, -1}))
        lab.images.clear();
}

void causes_controls(const LabControls& controls) {
    const Ui& ui = controls.explanation.ui;
    Laboratory& lab = controls.explanation.selection.focus.lab;
    choice(ui, "lab.cause", cause_figure_names, lab.cause, 2);
    row_of(lab.cause).controls(controls);
}

Comparison compare_causes(const LabPair& p) { return row_of(p.a.focus.lab.cause).compared(p); }

const CauseRow& row_of(CauseFigure figure) {
    const auto* const row =
        std::ranges::find_if(cause_figures, [figure](const CauseRow* each) { return each->figure == figure; });
    assert(row != std::end(cause_figures));
    return **row;
}

void causes_view(const LabScene& lab, Selection& selection, WhatIfs& what_ifs) {
    if (lab.scene.now.model->config.classes == 0) return say(lab, lab.scene.ui.text("lab.no_classes"));
    row_of(selection.focus.lab.cause).draw(lab, selection, what_ifs);
}

}  // namespace vitrine
