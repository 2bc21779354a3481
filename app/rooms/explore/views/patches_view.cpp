#include <algorithm>

#include "app/rooms/explore/views/views.h"
#include "app/rooms/figures/painting.h"
#include "app/rooms/figures/scene.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/number.h"
#include "app/ui/widgets/patch_grid.h"
#include "app/ui/widgets/rich_text.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "core/vit/experiment.h"

namespace vitrine {

namespace {

/// Smoothstep: eases t = 0 … 1 in and out.
float eased(float t) { return t * t * (3 - 2 * t); }

/// The patches' rectangles in reading order, with a gap between them.
std::vector<Rect> patch_rects(Rect rect, const Config& c, float gap) {
    const auto columns = static_cast<float>(c.grid_width()), rows = static_cast<float>(c.grid_height());
    const float side =
        std::min((rect.width() - gap * (columns - 1)) / columns, (rect.height() - gap * (rows - 1)) / rows);
    const float width = columns * side + (columns - 1) * gap, height = rows * side + (rows - 1) * gap;
    const float left = rect.centre().x - width / 2, top = rect.centre().y - height / 2;
    std::vector<Rect> rects;
    for (int i = 0; i < c.patches(); ++i) {
        const float x = left + static_cast<float>(i % c.grid_width()) * (side + gap);
        const float y = top + static_cast<float>(i / c.grid_width()) * (side + gap);
        rects.push_back({x, y, x + side, y + side});
    }
    return rects;
}

/// Draws one patch, enlarged, every pixel as a square.
void draw_patch(const Scene& scene, Rect rect, int token) {
    const Theme& theme = scene.ui.theme;
    const Config& c = scene.now.model->config;
    const Rect frame = fit({rect.x0, rect.y0, rect.x1, rect.y0 + rect.width()}, 1.0F);
    if (!c.is_patch(token)) {
        scene.canvas.stroke(frame, theme.palette.line, theme.px(1), theme.px(6));
        const RichText words{scene.ui.text("patches.point"), Font::caption, theme.palette.muted, Align::centre};
        const Rect inside = frame.inset(theme.px(10));
        const float height = measure_rich(scene.canvas, words, inside.width()).y, y = inside.centre().y - height / 2;
        ControlCanvas canvas(scene.ui);  // a hint, left out of figures for slides
        rich_text(canvas, scene.ui, {inside.x0, y, inside.x1, y + height}, words);
        scene.ui.probe.mark("patches.point", frame, 0, words.markup);
        return;
    }
    const float p = static_cast<float>(c.patch_size);
    const float x = static_cast<float>(c.patch_of(token) % c.grid_width()) * p,
                y = static_cast<float>(c.patch_of(token) / c.grid_width()) * p;
    scene.canvas.picture(frame, {scene.now.patched, {x, y, x + p, y + p}, true, 1.0F, 1.0F});
    scene.canvas.stroke(frame, theme.palette.query, theme.px(2));
    const float line = theme.px(26);
    caption(scene, {frame.centre().x, frame.y1 + theme.px(10)}, token_name(scene.ui, scene.now, token));
    caption(scene, {frame.centre().x, frame.y1 + theme.px(10) + line},
            scene.ui.text("patches.size", {{"side", std::to_string(c.patch_size)},
                                           {"channels", std::to_string(c.channels)},
                                           {"numbers", count_text(c.patch_dim())}}));
}

}  // namespace

void patches_view(const Scene& scene, Selection& selection, WhatIfs& what_ifs) {
    const Theme& theme = scene.ui.theme;
    const Config& c = scene.now.model->config;
    const float side_width = std::min(theme.px(240), scene.area.width() * 0.26F), gap = theme.px(40);
    const Rect left{scene.area.x0, scene.area.y0, scene.area.x1 - side_width - gap, scene.area.y1};

    const float widest = std::min(theme.px(10), left.width() / static_cast<float>(c.grid_width()) * 0.25F);
    const std::vector<Rect> rects = patch_rects(left, c, eased(scene.time) * widest);
    const auto p = static_cast<float>(c.patch_size);
    const std::vector<int> off = tokens_off(what_ifs);
    for (int i = 0; i < c.patches(); ++i) {
        const Rect& r = rects[static_cast<std::size_t>(i)];
        const float x = static_cast<float>(i % c.grid_width()) * p, y = static_cast<float>(i / c.grid_width()) * p;
        scene.canvas.picture(r, {scene.now.patched, {x, y, x + p, y + p}, true, 1.0F, 1.0F});
        if (std::find(off.begin(), off.end(), c.token_of(i)) != off.end())
            hatch(scene.canvas, r, theme.palette.muted, theme.px(6));
        if (selection.focus.token == c.token_of(i)) scene.canvas.stroke(r, theme.palette.query, theme.px(3));
        if (selection.hovered_token() == c.token_of(i)) scene.canvas.stroke(r, theme.palette.text, theme.px(2));
    }
    PatchGrid grid;
    grid.id = "patches.grid";
    grid.size = {c.grid_height(), c.grid_width()};
    grid.first_token = c.token_of(0);
    grid.lines = false;
    const Rect whole{rects.front().x0, rects.front().y0, rects.back().x1, rects.back().y1};
    const GridHit hit = patch_grid(scene.canvas, scene.ui, whole, grid);
    const bool paints = paint_patches(scene.canvas, scene.ui, whole, c, grid, hit, selection, what_ifs);
    if (hit.hovered) {
        selection.hover_token(*hit.hovered);
        readout(scene.ui, std::vector<std::string>{token_name(scene.ui, scene.now, *hit.hovered)});
    }
    if (hit.clicked && !paints) selection.focus.token = *hit.clicked;
    if (hit.menu) selection.ask_menu({hit.menu});
    if (hit.switched) toggle(what_ifs, remove_token(*hit.switched));
    draw_patch(scene, {scene.area.x1 - side_width, rects.front().y0, scene.area.x1, scene.area.y1},
               selection.focus.token);
}

}  // namespace vitrine
