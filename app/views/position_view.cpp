#include <imgui.h>

#include <algorithm>

#include "app/inference_worker.h"
#include "app/text.h"
#include "app/theme.h"
#include "app/views/views.h"
#include "app/widgets/controls.h"
#include "app/widgets/heatmap.h"
#include "app/widgets/hot_area.h"
#include "app/widgets/number.h"
#include "core/experiment.h"

namespace vitrine {

namespace {

constexpr ColourScale similarity_scale{ColourMap::diverging, -1.0F, 1.0F};

/// The row of a patch: how alike its position is to every other, (grid height, grid width).
HeatMap similarity_of(const Result& now, int patch) {
    const Config& c = now.model->config;
    return {&(*now.position_similarity)(static_cast<std::size_t>(patch), 0), c.grid_height(), c.grid_width(),
            similarity_scale, 1.0F};
}

/// A small map for every position, where that position is on the image.
void draw_tiles(const Scene& scene, Rect rect, Selection& selection) {
    const Config& c = scene.now.model->config;
    const Theme& theme = scene.ui.theme;
    const GridSize size{c.grid_height(), c.grid_width()};
    const Rect figure = fit(rect, static_cast<float>(c.grid_width()) / static_cast<float>(c.grid_height()));
    const float gap = std::max(1.0F, figure.width() / static_cast<float>(size.columns) * 0.06F);
    for (int patch = 0; patch < c.patches(); ++patch) {
        const Rect tile = cell_rect(figure, size, {patch / size.columns, patch % size.columns}).inset(gap / 2);
        scene.canvas.heat_map(tile, similarity_of(scene.now, patch));
        if (selection.focus.token == patch + 1) scene.canvas.stroke(tile, theme.palette.query, theme.px(3));
        if (selection.hovered_token() == patch + 1) scene.canvas.stroke(tile, theme.palette.text, theme.px(2));
    }
    const Hit hit = hot_area(scene.ui, "position.tiles", figure);
    const auto cell = hit.at ? cell_at(figure, size, *hit.at) : std::nullopt;
    if (!cell) return;
    const int token = cell->row * size.columns + cell->column + 1;
    selection.hover_token(token);
    if (hit.clicked) selection.focus.token = token;
}

/// One position's map, large, over the grid that the selection points at.
void draw_large(const Scene& scene, Rect rect, Selection& selection, WhatIfs& what_ifs) {
    const Config& c = scene.now.model->config;
    const Theme& theme = scene.ui.theme;
    const int token = std::max(1, selection.focus.token);
    const float line = theme.px(30), bar = theme.px(64);
    const float aspect = static_cast<float>(c.grid_width()) / static_cast<float>(c.grid_height());
    const Rect figure =
        fit({rect.x0, rect.y0, rect.x1, std::min(rect.y1 - line - bar, rect.y0 + rect.width() / aspect)}, aspect);
    scene.canvas.heat_map(figure, similarity_of(scene.now, token - 1));
    patch_pointing(scene, figure, {"position.map", 1, 1, true}, selection, what_ifs);
    caption(scene, {figure.centre().x, figure.y1 + theme.px(8)},
            scene.ui.text("position.of", {{"token", short_token_name(scene.ui, token)}}));
    const float top = figure.y1 + line + theme.px(12);
    colour_bar(scene.canvas, scene.ui, {rect.x0, top, rect.x1, top + bar},
               {similarity_scale, scene.ui.text("position.similarity"), scene.ui.text("scope.fixed")});
    if (const auto other = selection.hovered_token(); other.value_or(0) > 0) {
        const float similarity =
            (*scene.now.position_similarity)(static_cast<std::size_t>(token - 1), static_cast<std::size_t>(*other - 1));
        readout(scene.ui,
                std::vector<std::string>{token_name(scene.ui, scene.now, *other), "cos = " + number_text(similarity)});
    }
}

/// The switch that takes all positions away.
void draw_switch(const Scene& scene, Rect rect, WhatIfs& what_ifs) {
    const Theme& theme = scene.ui.theme;
    const Intervention positions = remove_positions();
    const bool off = contains(what_ifs, positions);
    ImGui::SetCursorScreenPos({rect.x0, rect.y0});
    const Text& text = scene.ui.text;
    if (chip(scene.ui, {"position.switch_all", text("position.name"), text(off ? "switch.on" : "switch.off"), "X"},
             {theme.palette.accent, false, off}) != ChipClick::none)
        toggle(what_ifs, positions);
}

}  // namespace

void position_view(const Scene& scene, Selection& selection, WhatIfs& what_ifs) {
    const Rect& a = scene.area;
    const float gap = scene.ui.theme.px(40), side = std::min(a.width() * 0.36F, scene.ui.theme.px(420));
    draw_tiles(scene, {a.x0, a.y0, a.x1 - side - gap, a.y1}, selection);
    const Rect right{a.x1 - side, a.y0, a.x1, a.y1};
    const float row = scene.ui.theme.px(44);
    draw_large(scene, {right.x0, right.y0 + row, right.x1, right.y1}, selection, what_ifs);
    draw_switch(scene, {right.x0, right.y0, right.x1, right.y0 + row}, what_ifs);
}

}  // namespace vitrine
