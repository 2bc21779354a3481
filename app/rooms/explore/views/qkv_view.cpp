#include <algorithm>
#include <functional>

#include "app/chapters/shown_norm.h"
#include "app/rooms/explore/views/views.h"
#include "app/rooms/figures/figures.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/canvas.h"
#include "app/ui/widgets/colour_map.h"
#include "app/ui/widgets/hot_area.h"
#include "app/ui/widgets/number.h"
#include "app/ui/widgets/picture.h"
#include "app/ui/widgets/rich_text.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "core/measures/analysis.h"
#include "core/transformer/equations.h"
#include "core/vit/experiment.h"

namespace vitrine {

namespace {

/// One of the three projections.
struct Projection {
    const char* name;  // "query"
    const char* letter;
    std::string title;
    Quantity weight, out;
    std::reference_wrapper<const LinearWeights> weights;
    std::shared_ptr<const Tensor3> values;
    Color color;
};

std::vector<Projection> projections_of(const Scene& scene, const Selection& selection) {
    const BlockWeights& w = weights_of(scene, selection);
    const auto t = block_of(scene, selection);
    const Palette& p = scene.ui.theme.palette;
    const Text& text = scene.ui.text;
    std::vector<Projection> all = {
        {"query", "q", text("qkv.query"), Quantity::query_weight, Quantity::q, w.query, {t, &t->q}, p.query},
        {"key", "k", text("qkv.key"), Quantity::key_weight, Quantity::k, w.key, {t, &t->k}, p.key},
        {"value", "v", text("qkv.value"), Quantity::value_weight, Quantity::v, w.value, {t, &t->v}, p.value}};
    const Equations run = equations_of(scene.now.model->config, scene.now.experiment.what_ifs, {selection.focus.block});
    const auto copy_query = [&](Projection& copy, const char* matrix) {
        copy.title = text("qkv.copied", {{"matrix", matrix}});
        copy.weight = Quantity::query_weight;
        copy.weights = w.query;
    };
    if (run.key_is_query) copy_query(all[1], "K");
    if (run.value_is_query) copy_query(all[2], "V");
    return all;
}

/// The magnitude at the ends of the colour scale for weights: three times their root mean square, so that one large
/// weight does not dim the others.
float weight_reach(const Parameter& weight) {
    const std::size_t step = std::max<std::size_t>(1, weight.size() / 4096);
    double squares = 0;
    std::size_t count = 0;
    for (std::size_t i = 0; i < weight.size(); i += step, ++count)
        squares += static_cast<double>(weight(i)) * static_cast<double>(weight(i));
    return static_cast<float>(3 * std::sqrt(squares / static_cast<double>(std::max<std::size_t>(1, count))));
}

/// Draws W as PyTorch stores it, (out, in), in bands by head; the chosen head's band is highlighted.
void draw_projection(const Scene& scene, Rect rect, const Projection& p, Selection& selection) {
    const Theme& theme = scene.ui.theme;
    const Config& c = scene.now.model->config;
    const int d = c.head_dim(), rows = c.embedding_dim, block = selection.focus.block;
    const int head = selection.hovered_head().value_or(selection.focus.head);
    const float line = scene.canvas.measure("", Font::caption).y + theme.px(3);
    const std::string key = std::string("qkv.") + p.name;
    const Rect square = fit({rect.x0, rect.y0 + line, rect.x1, rect.y1}, 1.0F);
    const Rect figure{rect.x0, square.y0, rect.x0 + square.width(), square.y1};
    const Parameter weight = p.weights.get().weight.stored();
    const float reach = selection.reach(key, weight_reach(weight));
    const std::string title = shape_words(p.title, {rows, rows});
    ranged_title(scene, rect, title, reach, p.color);
    scene.ui.probe.mark(key, figure, static_cast<double>(weight(0)), without_markup(title));
    scene.canvas.heat_map(figure, {weight.data(), rows, rows, {ColourMap::diverging, -reach, reach}, 1});
    const float band = figure.height() / static_cast<float>(c.heads), apart = phase(scene.time, 0.3F, 0.6F);
    for (int i = 0; i < c.heads; ++i) {
        const Rect slice{figure.x0, figure.y0 + band * static_cast<float>(i), figure.x1,
                         figure.y0 + band * static_cast<float>(i + 1)};
        if (i != head) scene.canvas.fill(slice, theme.palette.panel.with_alpha(0.55F * apart));
        if (i > 0)
            scene.canvas.line({slice.x0, slice.y0}, {slice.x1, slice.y0}, theme.palette.panel, theme.px(3) * apart);
    }
    const float top = figure.y0 + band * static_cast<float>(head);
    scene.canvas.stroke({figure.x0, top, figure.x1, top + band}, p.color, theme.px(2));
    const CellHit hit = point_at_cells(
        scene, figure, {key + ".matrix", {p.weight, block, 0, 0, rows, 0, rows}, {rows, rows}}, selection);
    if (hit.hovered) selection.hover_head(hit.hovered->row / d);
    if (hit.clicked) {
        selection.focus.head = hit.clicked->row / d;
        selection.focus.cell.reset();
    }
}

}  // namespace

void qkv_view(const Scene& scene, Selection& selection, WhatIfs&) {
    const Rect& a = scene.area;
    const Theme& theme = scene.ui.theme;
    const Text& text = scene.ui.text;
    const Config& c = scene.now.model->config;
    const auto t = block_of(scene, selection);
    const int token = selection.focus.token, block = selection.focus.block, d = c.head_dim();
    const int head = selection.hovered_head().value_or(selection.focus.head);
    const Norm norm = norm_here(scene.now, block);
    const bool after = norm == Norm::after;
    const char* const input_words = norm == Norm::none ? "qkv.input_off" : after ? "qkv.input_after" : "qkv.input";
    const Quantity from = after ? Quantity::z : Quantity::ln1;
    const Tensor2& input = after ? scene.now.trace.z(block - 1) : t->ln1.out;

    const float gap = theme.px(10), strip = std::clamp(a.height() * 0.14F, theme.px(56), theme.px(96)),
                arrow = theme.px(30);
    RectStack stack(a, gap);
    vector_figure(scene, stack.next(strip),
                  {"qkv.input",
                   text(input_words, {{"token", short_token_name(scene.ui, scene.now, token)},
                                      {"count", count_text(c.embedding_dim)}}),
                   row_of(input, token),
                   row_region(from, after ? block - 1 : block, 0, token, c.embedding_dim),
                   theme.palette.norm,
                   0,
                   {}},
                  selection);
    const Rect rest = stack.rest();
    const float shown = phase(scene.time, 0.55F, 1);
    const std::vector<Projection> projections = projections_of(scene, selection);
    for (std::size_t i = 0; i < projections.size(); ++i) {
        const Projection& p = projections[i];
        const auto part = static_cast<float>(i);
        const Rect column = columns(rest, part / 3 + 0.01F, (part + 1) / 3 - 0.02F);
        arrow_down(scene, {column.x0 + theme.px(10), column.y0}, arrow, shape_words("", {c.embedding_dim}));
        const Rect middle{column.x0, column.y0 + arrow + gap / 2, column.x1, column.y1 - strip - arrow - gap};
        draw_projection(scene, middle, p, selection);
        arrow_down(scene, {column.x0 + theme.px(10), middle.y1 + gap / 2}, arrow,
                   text("qkv.slice", {{"first", scene.ui.ordinal(head * d)},
                                      {"last", scene.ui.ordinal((head + 1) * d - 1)},
                                      {"head", scene.ui.ordinal(head)}}));
        const std::span<const float> whole = row_of(*p.values, head, token);
        std::vector<float> values(whole.begin(), whole.end());
        for (float& x : values) x *= shown;
        vector_figure(scene, {column.x0, column.y1 - strip, column.x1, column.y1},
                      {std::string("qkv.") + p.letter,
                       text(std::string("qkv.") + p.letter, {{"count", count_text(d)}}),
                       values,
                       row_region(p.out, block, head, token, d),
                       p.color,
                       reach_of(whole),
                       {}},
                      selection);
    }
}

}  // namespace vitrine
