#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/rooms/explore/views/views.h"
#include "app/rooms/figures/figures.h"
#include "app/rooms/figures/head_off.h"
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
#include "core/measures/analysis.h"

namespace vitrine {

namespace {

/// The rows and columns shown by a zoom: whole cells.
struct Window {
    int row = 0, column = 0, count = 0;
};
Window window_of(const Zoom& zoom, int tokens) {
    const int count = std::clamp(static_cast<int>(std::lround(zoom.extent * static_cast<float>(tokens))),
                                 std::min(4, tokens), tokens);
    const auto first = [&](float at) {
        return std::clamp(static_cast<int>(std::lround(at * static_cast<float>(tokens))), 0, tokens - count);
    };
    return {first(zoom.row), first(zoom.column), count};
}

/// Wheel: zooms around the pointer. Drag: moves. Double-click: shows all.
void zoom_by_mouse(const Hit& hit, Rect rect, Zoom& zoom) {
    if (!hit.at) return;
    if (hit.double_clicked) zoom = {};
    const float wheel = ImGui::GetIO().MouseWheel;
    const float x = (hit.at->x - rect.x0) / rect.width(), y = (hit.at->y - rect.y0) / rect.height();
    if (wheel != 0) {
        const float extent = std::clamp(zoom.extent * std::pow(0.8F, wheel), 0.02F, 1.0F);
        zoom.column += x * (zoom.extent - extent);
        zoom.row += y * (zoom.extent - extent);
        zoom.extent = extent;
    }
    if (ImGui::IsMouseDragging(ImGuiMouseButton_Left)) {
        const ImVec2 moved = ImGui::GetIO().MouseDelta;
        zoom.column -= moved.x / rect.width() * zoom.extent;
        zoom.row -= moved.y / rect.height() * zoom.extent;
    }
    zoom.row = std::clamp(zoom.row, 0.0F, 1 - zoom.extent);
    zoom.column = std::clamp(zoom.column, 0.0F, 1 - zoom.extent);
}

const AttentionReach& reach_of_block(const Scene& scene, const Focus& f) {
    return *scene.now.measures.reach[static_cast<std::size_t>(f.block - 1)];
}

/// The colour scale. That of a block ends at a value above nearly all of its weights: the few larger ones, mostly on
/// the class token, would leave the others dark.
ColourScale scale_of(const Scene& scene, const Selection& selection) {
    const Focus& f = selection.focus;
    const float most = over_runs(scene, selection, [&](const Scene& each, const Selection& there) {
        const AttentionReach& measured = reach_of_block(each, there.focus);
        const auto head = static_cast<std::size_t>(there.focus.head);
        return f.scores                 ? measured.scores[head]
               : f.scope == Scope::head ? measured.attention[head]
                                        : measured.usual_attention;
    });
    const float reach = most > 0 ? most : 1.0F;
    if (f.scores) return {ColourMap::diverging, -reach, reach};
    return {ColourMap::sequential, 0, reach, f.lab.curve};
}

/// The cells in the window, row by row.
std::vector<float> cells_of(const Tensor3& source, int head, const Window& w) {
    std::vector<float> cells;
    cells.reserve(static_cast<std::size_t>(w.count) * static_cast<std::size_t>(w.count));
    for (int row = w.row; row < w.row + w.count; ++row) {
        const std::span<const float> whole =
            row_of(source, head, row).subspan(static_cast<std::size_t>(w.column), static_cast<std::size_t>(w.count));
        cells.insert(cells.end(), whole.begin(), whole.end());
    }
    return cells;
}

/// Draws the titles of both axes, and a hint on zooming.
void draw_axes(const Scene& scene, Rect rect, Rect figure) {
    const Theme& theme = scene.ui.theme;
    scene.canvas.text({figure.x0, rect.y0}, scene.ui.text("matrix.axis_key") + " →",
                      {Font::caption, theme.palette.key, Align::left});
    const float key_width =
        scene.canvas.measure(scene.ui.text("matrix.axis_key") + " →", Font::caption).x + theme.px(12);
    scene.canvas.text({figure.x1, rect.y0},
                      fitted(scene.canvas, scene.ui.text("matrix.zoom"), Font::caption, figure.width() - key_width),
                      {Font::caption, theme.palette.muted, Align::right});
    scene.canvas.text({figure.x0 - theme.px(6), figure.y0}, "i ↓", {Font::caption, theme.palette.query, Align::right});
}

/// Hovering reads out a cell, a click chooses its query and key; wheel and drag zoom.
void point_at_matrix(const Scene& scene, Rect figure, const Window& w, Selection& selection) {
    Focus& f = selection.focus;
    const auto t = block_of(scene, selection);
    const Quantity quantity = f.scores ? Quantity::scores : Quantity::attention;
    const Region region{quantity, f.block, f.head, w.row, w.row + w.count, w.column, w.column + w.count};
    const CellHit hit = point_at_cells(scene, figure, {"matrix.cells", region, {w.count, w.count}}, selection);
    Hit mouse;
    if (ImGui::IsMouseHoveringRect({figure.x0, figure.y0}, {figure.x1, figure.y1}) && hit.hovered) {
        const ImVec2 pointer = ImGui::GetMousePos();
        mouse.at = Point{pointer.x, pointer.y};
        mouse.double_clicked = ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left);
    }
    zoom_by_mouse(mouse, figure, f.zoom);
    if (hit.hovered) {
        selection.hover_token(hit.hovered->row);  // the figures beside the matrix show this query
        const auto value = static_cast<double>(row_of(f.scores ? t->scores : t->attention, f.head,
                                                      hit.hovered->row)[static_cast<std::size_t>(hit.hovered->column)]);
        const auto name = [&](int token) { return short_token_name(scene.ui, scene.now, token); };
        readout(scene.ui, std::vector<std::string>{
                              scene.ui.text("matrix.pair", {{"query", "{query|" + name(hit.hovered->row) + "}"},
                                                            {"key", "{key|" + name(hit.hovered->column) + "}"}}),
                              number_text(value)});
    }
    if (hit.clicked) {
        f.token = hit.clicked->row;
        f.key = hit.clicked->column;
        f.cell.reset();
    }
}

/// Draws the matrix, or the part shown by the zoom; the animation uncovers it from top to bottom.
void draw_matrix(const Scene& scene, Rect rect, Selection& selection) {
    const Theme& theme = scene.ui.theme;
    const Focus& f = selection.focus;
    const int tokens = scene.now.model->config.tokens();
    const Window w = window_of(f.zoom, tokens);
    const auto t = block_of(scene, selection);
    const Tensor3& source = f.scores ? t->scores : t->attention;
    const bool whole = w.count == tokens;
    const std::vector<float> cells = whole ? std::vector<float>() : cells_of(source, f.head, w);
    const float line = scene.canvas.measure("", Font::caption).y + theme.px(4);
    const Rect figure = fit({rect.x0 + line, rect.y0 + line, rect.x1, rect.y1}, 1);
    const float* const shown = whole ? row_of(source, f.head, 0).data() : cells.data();
    scene.canvas.heat_map(figure, {shown, w.count, w.count, scale_of(scene, selection), 1});
    if (head_is_off(scene, f.block, f.head)) hatch(scene.canvas, figure, theme.palette.muted, theme.px(10));
    const float hidden = figure.y0 + figure.height() * phase(scene.time, 0.1F, 0.95F);
    if (scene.time < 1)
        scene.canvas.fill({figure.x0, hidden, figure.x1, figure.y1}, theme.palette.panel.with_alpha(0.85F));
    draw_axes(scene, rect, figure);
    if (f.token >= w.row && f.token < w.row + w.count) {
        const float side = figure.width() / static_cast<float>(w.count);
        const float y = figure.y0 + side * static_cast<float>(f.token - w.row);
        scene.canvas.stroke({figure.x0, y, figure.x1, y + std::max(side, theme.px(3))}, theme.palette.query,
                            theme.px(2));
    }
    point_at_matrix(scene, figure, w, selection);
    scene.ui.probe.mark("matrix.window", figure, w.count, std::to_string(w.row) + "," + std::to_string(w.column));
}

void draw_controls(const Scene& scene, Rect rect, Selection& selection) {
    const Text& text = scene.ui.text;
    Focus& f = selection.focus;
    ImGui::SetCursorScreenPos({rect.x0, rect.y0});
    const Control choices[] = {{"matrix.before", text("matrix.before"), text("matrix.before_tip"), {}},
                               {"matrix.after", text("matrix.after"), text("matrix.after_tip"), {}}};
    int chosen = f.scores ? 0 : 1;
    if (segmented(scene.ui, choices, chosen)) f.scores = chosen == 0;
    const float x = rect.x0 + scene.ui.theme.px(220), line = scene.canvas.measure("", Font::caption).y;
    const auto block = block_of(scene, selection);
    const std::span<const float> row = row_of(block->attention, f.head, selection.focus.token);
    double sum = 0;
    for (const float a : row) sum += static_cast<double>(a);
    const auto difference = static_cast<double>(reach_of_block(scene, f).asymmetry[static_cast<std::size_t>(f.head)]);
    text_line(scene, {x, rect.y0}, rect.x1 - x, text("matrix.sum", {{"sum", number_text(sum)}}), Font::caption);
    text_line(scene, {x, rect.y0 + line}, rect.x1 - x,
              text("matrix.symmetric", {{"difference", number_text(difference)}}), Font::caption);
    scene.ui.probe.mark("matrix.sum", rect, sum);
    scene.ui.probe.mark("matrix.asymmetry", rect, difference);
}

/// Draws the weighted sum of the values: the head's output for the chosen query.
void draw_output(const Scene& scene, Rect rect, Selection& selection) {
    const Config& c = scene.now.model->config;
    const Focus& f = selection.focus;
    const int token = selection.focus.token;
    const auto block = block_of(scene, selection);
    vector_figure(scene, rect,
                  {"matrix.output",
                   scene.ui.text("matrix.output", {{"token", short_token_name(scene.ui, scene.now, token)},
                                                   {"d", count_text(c.head_dim())}}),
                   row_of(block->heads, f.head, token),
                   row_region(Quantity::heads, f.block, f.head, token, c.head_dim()),
                   scene.ui.theme.palette.value,
                   0,
                   {}},
                  selection);
}

/// Words on the colours' range; for a block, the share of weights below its end and, if `room` allows, the largest one.
std::string scope_words(const Scene& scene, const Focus& f, float room) {
    const Text& text = scene.ui.text;
    if (f.scores || f.scope == Scope::head) return text("scope.head", {{"head", scene.ui.ordinal(f.head)}});
    const double largest = static_cast<double>(reach_of_block(scene, f).largest_attention);
    const std::string block = scene.ui.ordinal(f.block - 1),
                      whole = text("matrix.usual", {{"block", block}, {"largest", number_text(largest)}});
    const auto fits = [&](const std::string& words) {
        return scene.canvas.measure(range_words(scene, words), Font::caption).x + scene.ui.theme.px(16) <= room;
    };
    if (fits(whole)) return whole;
    const std::string shorter = text("matrix.usual_short", {{"block", block}});
    return fits(shorter) ? shorter : text("matrix.usual_shortest", {{"block", block}});
}

}  // namespace

void attention_matrix_view(const Scene& scene, Selection& selection, WhatIfs&) {
    const Rect& a = scene.area;
    const Theme& theme = scene.ui.theme;
    const Text& text = scene.ui.text;
    const float controls = theme.px(48), bar = theme.px(64), output = theme.px(64);
    // Where type is large for the height, as in a lecture, the matrix takes the whole height.
    const bool low = a.height() < theme.px(560) && a.width() >= theme.px(950);
    const Rect left = columns(a, 0, low ? 0.49F : 0.62F), right = columns(a, low ? 0.52F : 0.66F, 1);
    const Rect& above = low ? right : left;
    draw_controls(scene, {above.x0, above.y0, above.x1, above.y0 + controls}, selection);
    const float top = controls + theme.px(4);
    draw_matrix(scene, {left.x0, left.y0 + (low ? 0 : top), left.x1, left.y1 - bar - theme.px(6)}, selection);
    const Focus& f = selection.focus;
    const Rect legend{left.x0, left.y1 - bar, left.x1, left.y1};
    const ColourScale scale = scale_of(scene, selection);
    const float curve_width = f.scores ? 0 : curve_choice_width(scene);
    const Rect ramp{legend.x0, legend.y0, legend.x1 - curve_width, legend.y1};
    const std::string caption = f.scores ? text("matrix.before_tip") : weight_words(scene.ui, scale.curve).shorter;
    const std::string scope = scope_words(scene, f, ramp.width() - scene.canvas.measure(caption, Font::caption).x);
    scale_bar(scene, ramp, {scale, caption, scope, f.scores ? text("matrix.before") : ""});
    scene.ui.probe.mark("matrix.range", legend, static_cast<double>(scale.high), scope);
    if (!f.scores) curve_choice(scene, {legend.x1 - curve_width + theme.px(16), legend.y0 + theme.px(16)}, selection);
    looks_both_ways(scene, {right.x0, right.y0 + (low ? top : 0), right.x1, right.y1 - output - theme.px(8)}, "matrix",
                    selection);
    draw_output(scene, {right.x0, right.y1 - output, right.x1, right.y1}, selection);
}

}  // namespace vitrine
