#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/chapters/model_words.h"
#include "app/rooms/explore/views/views.h"
#include "app/rooms/figures/change_figure.h"
#include "app/rooms/figures/figures.h"
#include "app/rooms/panels/foreign.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/bars.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/hot_area.h"
#include "app/ui/widgets/number.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "core/measures/analysis.h"
#include "core/vit/readout.h"

namespace vitrine {

namespace {

constexpr int classes_shown = 5;

/// The class whose logit is shown term by term: the hovered or pinned one, else the most probable.
int class_in_view(const Scene& scene, const Selection& selection) {
    const auto cell = selection.cell_in_view();
    const bool of_a_class = cell && (cell->quantity == Quantity::logits || cell->quantity == Quantity::probabilities);
    if (of_a_class && cell->column < scene.now.model->config.classes) return cell->column;
    return top_predictions(*scene.now.trace.head, 1).front().index;
}

/// Draws the terms of one class's logit Σ_j y_j W_cj + b.
void draw_logit_products(const Scene& scene, Rect rect, int label, Selection& selection) {
    const Tensor2& y = scene.now.trace.head->ln;
    const LinearWeights& w = scene.now.model->weights.classifier;
    const float shown = phase(scene.time, 0.35F, 0.65F);
    std::vector<float> products;
    for (std::size_t j = 0; j < y.shape()[1]; ++j)
        products.push_back(y(0, j) * w.weight(static_cast<std::size_t>(label), j));
    const float reach = reach_of(products);
    for (float& x : products) x *= shown;
    const float bias = w.bias.empty() ? 0.0F : w.bias(static_cast<std::size_t>(label));
    const float logit = scene.now.trace.head->logits(0, static_cast<std::size_t>(label));
    const std::string title =
        scene.ui.text("prediction.products", {{"class", class_in_words(scene.ui, *scene.now.model, label)},
                                              {"bias", number_text(static_cast<double>(bias))},
                                              {"logit", number_text(static_cast<double>(logit))}});
    const Region weights{Quantity::classifier_weight, 0, 0, label, label + 1, 0, static_cast<int>(products.size())};
    vector_figure(scene, rect, {"prediction.products", title, products, weights, {}, reach, {}}, selection);
    scene.ui.probe.mark("prediction.logit", rect, static_cast<double>(logit), title);
}

/// The number of classes listed: as many as fit above the numbers of a change, at least `classes_shown` if there are
/// any.
int classes_in(const Scene& scene, Rect rect) {
    const float row = bar_row_rect(scene.ui, rect, 0).height(),
                below = change_height(scene.canvas, scene.ui, rect.width(), ChangeParts::beside_its_bar) +
                        scene.ui.theme.px(8);
    return std::min(std::max(classes_shown, static_cast<int>((rect.height() - below) / row)),
                    scene.now.model->config.classes);
}

/// Draws an arrow from the logits' strip to the list; it bends up to `last`, the last row's middle, if the strip is
/// lower.
void draw_arrow_to_list(const Scene& scene, Point logits, Point last) {
    const Theme& theme = scene.ui.theme;
    const float y = std::min(logits.y, last.y), half = (last.x - logits.x) / 2;
    Point from{logits.x + theme.px(6), logits.y};
    if (y < logits.y) {
        const Point turn{logits.x + half, logits.y};
        scene.canvas.line(from, turn, theme.palette.muted, theme.px(2));
        scene.canvas.line(turn, {turn.x, y - theme.px(1)}, theme.palette.muted, theme.px(2));
        from = {turn.x, y};
    }
    arrow_right(scene, from, last.x - theme.px(8) - from.x, {});
    scene.ui.probe.mark("prediction.arrow", {from.x, y - theme.px(5), last.x - theme.px(8), y + theme.px(5)});
}

/// Draws the probabilities of the best classes, with and without the what-ifs; a click shows a logit's terms.
void draw_classes(const Scene& scene, Rect rect, Selection& selection) {
    const int count = classes_in(scene, rect);
    std::vector<BarRow> rows = class_rows(scene.ui, scene.now, count);
    const float shown = phase(scene.time, 0.75F, 1);
    std::vector<BarRow> growing = rows;
    for (BarRow& row : growing) row.value *= static_cast<double>(shown);
    bar_list(
        scene.canvas, scene.ui, rect,
        {scene.time < 1 ? growing : rows, 1.0, BarUnit::fraction, answer_color(scene.ui.theme.palette, scene.now)});
    const std::vector<PredictionChange> classes = top_changes(*scene.now.trace.head, *scene.now.baseline.head, count);
    const float below = bar_row_rect(scene.ui, rect, static_cast<int>(rows.size())).y0 + scene.ui.theme.px(8);
    if (scene.time == 1)
        change_figure(scene.canvas, scene.ui, {rect.x0, below, rect.x1, rect.y1},
                      {"prediction.change", scene.now, ChangeParts::beside_its_bar});
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const Rect row = bar_row_rect(scene.ui, rect, static_cast<int>(i));
        const Hit hit = hot_area(scene.ui, "prediction.choose." + std::to_string(i), row, rows[i].label);
        const Cell cell{Quantity::probabilities, 0, 0, 0, classes[i].now.index};
        if (hit.at) selection.hover_cell(cell);
        if (hit.clicked) selection.focus.cell = cell;
        scene.ui.probe.mark("prediction.class." + std::to_string(i), row, rows[i].value, rows[i].label);
    }
}

/// The strips from the readout to the logits, with the arrows between them.
struct Strips {
    const Scene& scene;
    RectStack stack;
    float strip, arrow;

    Rect next() { return stack.next(strip); }
    void between(const std::string& words) {
        const Rect r = stack.next(arrow);
        arrow_down(scene, {r.x0 + scene.ui.theme.px(10), r.y0}, arrow, words);
    }
};

/// The values, growing from 0 between two times of the animation.
std::vector<float> grown(const Scene& scene, std::span<const float> values, float begin, float end) {
    std::vector<float> shown(values.begin(), values.end());
    for (float& x : shown) x *= phase(scene.time, begin, end);
    return shown;
}

/// Draws the attention of a pooling: each head's weights on the patches, over the picture. `most`: the largest height.
void draw_pooling(Strips& strips, float most, Selection& selection) {
    const Scene& scene = strips.scene;
    const Theme& theme = scene.ui.theme;
    const Config& c = scene.now.model->config;
    const Tensor3& attention = scene.now.trace.head->pooling.attention;
    const float line = scene.canvas.measure("", Font::caption).y + theme.px(2), gap = theme.px(8);
    const float aspect = static_cast<float>(c.grid_width()) / static_cast<float>(c.grid_height());
    Rect room = strips.stack.rest();
    room.y1 = room.y0 + most - line;
    const Tiling tiling = tiling_of(c.heads, room, aspect, {gap, line});
    const Rect rect = strips.stack.next(line + static_cast<float>(tiling.rows) * (tiling.width / aspect + line));
    room = {rect.x0, rect.y0 + line, rect.x1, rect.y1};
    const float largest = reach_of({attention.data(), attention.size()});
    const Curve curve = selection.focus.lab.curve;
    const std::string bent = curve == Curve::linear ? "" : curve == Curve::root ? " · √a" : " · log a";
    text_line(scene, {rect.x0, rect.y0}, rect.width(),
              scene.ui.text("prediction.pooling") + "   a ≤ " + number_text(static_cast<double>(largest)) + bent,
              Font::caption, theme.palette.query);
    const ColourScale scale{ColourMap::sequential, 0, largest, selection.focus.lab.curve};
    const GridSize grid{c.grid_height(), c.grid_width()};
    for (int head = 0; head < c.heads; ++head) {
        const float x = room.x0 + static_cast<float>(head % tiling.columns) * (tiling.width + gap);
        const float y = room.y0 + static_cast<float>(head / tiling.columns) * (tiling.width / aspect + line);
        const Rect map{x, y, x + tiling.width, y + tiling.width / aspect};
        const std::string id = "prediction.pooling." + std::to_string(head);
        const std::span<const float> weights = row_of(attention, head, 0);
        std::vector<float> shown = grown(scene, weights, 0, 0.3F);
        scene.canvas.fill(map, {8, 10, 14, 255});
        scene.canvas.picture(map, picture_below(scene, selection.focus.brightness));
        scene.canvas.heat_map(map, {shown.data(), grid.rows, grid.columns, scale, 0.0F});
        const CellHit hit = point_at_cells(
            scene, map, {id, row_region(Quantity::pool_attention, 0, head, 0, c.patches()), grid}, selection);
        if (hit.hovered) {
            const int token = c.token_of(hit.hovered->column);
            selection.hover_token(token);
            readout(scene.ui, std::vector<std::string>{
                                  scene.ui.text("attention.head", {{"head", scene.ui.ordinal(head)}}) + " · " +
                                      token_name(scene.ui, scene.now, token),
                                  "a = " + number_text(weights[static_cast<std::size_t>(hit.hovered->column)])});
        }
        outline_patches(scene, map, selection);
        caption(scene, {map.centre().x, map.y1}, scene.ui.ordinal(head));
        scene.ui.probe.mark(id + ".largest", map, static_cast<double>(*std::ranges::max_element(weights)),
                            number_text(*std::ranges::max_element(weights)));
    }
}

/// Draws the readout of z_L and the norm below it. If the head reads two vectors, they appear side by side.
void draw_read_row(Strips& strips, Selection& selection) {
    const Scene& scene = strips.scene;
    const Text& text = scene.ui.text;
    const Config& c = scene.now.model->config;
    const Trace& trace = scene.now.trace;
    const int d = c.embedding_dim;
    const ReadTokens read = read_tokens(c);
    const Tensor2 read_row =
        c.reads_two() ? bring_together(c, rows_read(c, trace.z(c.blocks))) : read_out(c, trace.z(c.blocks));
    vector_figure(scene, strips.next(),
                  {"prediction.class_token",
                   text("prediction.read." + std::string(name_of(c.readout))),
                   row_of(read_row, 0),
                   read.one() && !c.reads_two() ? std::optional(row_region(Quantity::z, c.blocks, 0, read.first, d))
                                                : std::nullopt,
                   scene.ui.theme.palette.residual,
                   0,
                   {}},
                  selection);
    strips.between(text(c.norms_tokens() ? "prediction.norm_each" : "prediction.norm") + "   " +
                   shape_words("", {1, c.tokens(), d}) + " → " + shape_words("", {1, c.read_dim()}));
}

/// Draws the tokens that the head reads, and the vector made from them.
void draw_read(Strips& strips, Selection& selection) {
    const Scene& scene = strips.scene;
    const Theme& theme = scene.ui.theme;
    const Text& text = scene.ui.text;
    const Config& c = scene.now.model->config;
    const Trace& trace = scene.now.trace;
    const int d = c.embedding_dim;
    if (c.pools()) {
        const float maps = c.classes > 0 ? 2 * strips.strip : scene.area.height() * 0.5F;
        draw_pooling(strips, maps, selection);
        strips.between(text("prediction.pooled") + "   " + shape_words("", {1, c.patches(), d}) + " → " +
                       shape_words("", {1, d}));
    } else {
        draw_read_row(strips, selection);
    }
    const std::span<const float> y = row_of(trace.head->ln, 0);
    vector_figure(scene, strips.next(),
                  {"prediction.normalised",
                   text(c.pools() ? "prediction.pooled_vector" : "prediction.normalised"),
                   grown(scene, y, 0, 0.3F),
                   row_region(Quantity::head_ln, 0, 0, 0, c.read_dim()),
                   theme.palette.norm,
                   reach_of(y),
                   {}},
                  selection);
}

/// Draws the output vector of a model that ends with a projection.
void draw_output_strip(Strips& strips, Selection& selection) {
    const Scene& scene = strips.scene;
    const Config& c = scene.now.model->config;
    strips.between(scene.ui.text("prediction.linear") + "   W" + shape_words("", {c.features, c.classifier_inputs()}));
    const std::span<const float> features = row_of(scene.now.trace.head->features, 0);
    vector_figure(
        scene, strips.next(),
        {"prediction.features",
         scene.ui.text("prediction." + std::string(name_in(head_kinds, c.ending)), {{"count", count_text(c.features)}}),
         grown(scene, features, 0.5F, 0.8F),
         row_region(Quantity::features, 0, 0, 0, c.features),
         scene.ui.theme.palette.accent,
         reach_of(features),
         {}},
        selection);
}

/// Draws the named outputs of a model that chooses no class: the most probable labels, or the first values.
void draw_outputs(const Scene& scene, Rect rect, Selection& selection) {
    const Config& c = scene.now.model->config;
    const HeadTrace& head = *scene.now.trace.head;
    const bool several = c.ending == HeadKind::several;
    const std::span<const float> numbers = row_of(several ? head.probabilities : head.features, 0);
    std::vector<int> order(numbers.size());
    std::iota(order.begin(), order.end(), 0);
    if (several)
        std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
            return numbers[static_cast<std::size_t>(a)] > numbers[static_cast<std::size_t>(b)];
        });
    order.resize(std::min<std::size_t>(order.size(), classes_shown));
    std::vector<BarRow> rows;
    float y = rect.y0;
    for (const int index : order) {
        const auto number = static_cast<double>(numbers[static_cast<std::size_t>(index)]);
        rows.push_back({c.label(index), number, {}});
        if (several) continue;
        text_line(scene, {rect.x0, y}, rect.width(), c.label(index) + "   " + number_text(number));
        y += scene.canvas.measure("", Font::body).y + scene.ui.theme.px(8);
    }
    if (several) bar_list(scene.canvas, scene.ui, rect, {rows, 1.0, BarUnit::fraction, scene.ui.theme.palette.accent});
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const Rect row = bar_row_rect(scene.ui, rect, static_cast<int>(i));
        const Quantity quantity = several ? Quantity::probabilities : Quantity::features;
        const Hit hit = hot_area(scene.ui, "prediction.output." + std::to_string(i), row, rows[i].label);
        if (hit.at) selection.hover_cell({quantity, 0, 0, 0, order[i]});
        if (hit.clicked) selection.focus.cell = Cell{quantity, 0, 0, 0, order[i]};
    }
}

/// Draws the logits of two classifiers side by side.
void draw_each(const Scene& scene, Rect rect, Selection& selection) {
    const Config& c = scene.now.model->config;
    const HeadTrace& head = *scene.now.trace.head;
    const float reach = std::max(reach_of(row_of(head.each, 0)), reach_of(row_of(head.each, 1)));
    for (const int row : {0, 1}) {
        const std::string id = row == 0 ? "prediction.class_head" : "prediction.distillation_head";
        vector_figure(scene, row == 0 ? columns(rect, 0, 0.485F) : columns(rect, 0.515F, 1),
                      {id,
                       scene.ui.text(id),
                       grown(scene, row_of(head.each, row), 0.35F, 0.65F),
                       row_region(Quantity::head_each, 0, 0, row, c.classes),
                       scene.ui.theme.palette.accent,
                       reach,
                       {}},
                      selection);
    }
}

/// Writes the names of the largest logits below their bars if there is room, and shows a readout of the hovered one.
void name_logits(const Scene& scene, Rect row, const CellHit& hit) {
    const Theme& theme = scene.ui.theme;
    const HeadTrace& head = *scene.now.trace.head;
    const float width = row.width() / static_cast<float>(head.logits.size());
    std::vector<Rect> taken;
    for (const Prediction& p : top_predictions(head, classes_shown)) {
        const std::string name = class_name(scene.ui, *scene.now.model, p.index);
        const float half = scene.canvas.measure(name, Font::caption).x / 2;
        const float x = std::clamp(row.x0 + width * (static_cast<float>(p.index) + 0.5F), row.x0 + half, row.x1 - half);
        const Rect place{x - half - theme.px(4), row.y0, x + half + theme.px(4), row.y1};
        if (std::ranges::any_of(taken, [&](const Rect& other) { return other.overlaps(place); })) continue;
        taken.push_back(place);
        scene.canvas.text({x, place.y0}, name, {Font::caption, theme.palette.text, Align::centre});
        scene.ui.probe.mark("prediction.logit_name." + std::to_string(p.index), place, static_cast<double>(p.logit),
                            name);
    }
    if (!hit.hovered) return;
    const Prediction p = prediction_of(head, hit.hovered->column);
    readout(scene.ui,
            std::vector<std::string>{class_name(scene.ui, *scene.now.model, p.index),
                                     scene.ui.text("change.logit") + " " + number_text(static_cast<double>(p.logit)),
                                     "p = " + probability_text(static_cast<double>(p.probability))});
}

/// Draws the terms of one class's logit, and all logits.
void draw_logits(Strips& strips, Selection& selection) {
    const Scene& scene = strips.scene;
    const Text& text = scene.ui.text;
    const Config& c = scene.now.model->config;
    const int d = c.classifier_inputs();
    if (c.readout == Readout::class_and_distillation) {
        strips.between(text("prediction.two_layers") + "   W" + shape_words("", {c.classes, d}));
        draw_each(scene, strips.next(), selection);
        strips.between(text("prediction.mean_of_both") + "   " + shape_words("", {2, c.classes}) + " → " +
                       shape_words("", {1, c.classes}));
    } else {
        strips.between(text("prediction.linear") + "   W" + shape_words("", {c.classes, d}));
        draw_logit_products(scene, strips.next(), class_in_view(scene, selection), selection);
        strips.between("Σ + b   " + shape_words("", {1, d}) + " → " + shape_words("", {1, c.classes}));
    }
    const std::span<const float> logits = row_of(scene.now.trace.head->logits, 0);
    Rect figure = strips.next();
    const float names = scene.canvas.measure("", Font::caption).y;
    figure.y1 -= names;
    const CellHit hit =
        vector_figure(scene, figure,
                      {"prediction.logits",
                       text("prediction.logits", {{"count", count_text(static_cast<std::int64_t>(logits.size()))}}),
                       grown(scene, logits, 0.6F, 0.8F),
                       row_region(Quantity::logits, 0, 0, 0, c.classes),
                       scene.ui.theme.palette.accent,
                       reach_of(logits),
                       {}},
                      selection);
    if (scene.time == 1) name_logits(scene, {figure.x0, figure.y1, figure.x1, figure.y1 + names}, hit);
}

}  // namespace

void prediction_view(const Scene& scene, Selection& selection, WhatIfs&) {
    const Theme& theme = scene.ui.theme;
    const Text& text = scene.ui.text;
    const Config& c = scene.now.model->config;
    const Rect& a = scene.area;
    const float arrow = theme.px(28), gap = theme.px(4);
    const bool alone = c.pools() && c.classes == 0 && c.features == 0;  // there are only the pooling's maps
    const Rect left = alone ? a : columns(a, 0, 0.6F), right = columns(a, 0.66F, 1);
    const float strips_high = c.pools() ? 5 : 4;  // a pooling's maps are as high as two strips
    const float strip = std::clamp((a.height() - 3 * arrow - 6 * gap) / strips_high, theme.px(46), theme.px(130));
    Strips strips{scene, RectStack(left, gap), strip, arrow};
    draw_read(strips, selection);
    if (c.classes == 0) {
        if (c.features > 0) draw_output_strip(strips, selection);
        if (c.ending == HeadKind::several || c.ending == HeadKind::values) {
            text_line(scene, {right.x0, right.y0}, right.width(),
                      text("prediction.outputs." + std::string(name_in(head_kinds, c.ending))), Font::caption,
                      theme.palette.muted);
            draw_outputs(scene, {right.x0, right.y0 + theme.px(26), right.x1, right.y1}, selection);
        }
        const std::string& none = text(key_for(text, "prediction.none", c));
        const Rect rest = strips.stack.rest();
        scene.canvas.text({a.centre().x, rest.centre().y}, fitted(scene.canvas, none, Font::body, a.width()),
                          {Font::body, theme.palette.muted, Align::centre});
        scene.ui.probe.mark("prediction.none", rest, 0, none);
        return;
    }
    draw_logits(strips, selection);
    const Rect list{right.x0, right.y0 + theme.px(26), right.x1, right.y1};
    const int listed = classes_in(scene, list);
    draw_arrow_to_list(scene, {left.x1, strips.stack.rest().y0 - gap - strip / 2},
                       {right.x0, bar_row_rect(scene.ui, list, listed - 1).centre().y});
    const std::string usual = text("prediction.softmax") + "   " + shape_words("", {1, c.classes});
    std::string title = usual;
    if (listed < c.classes) {
        const std::string of_all =
            text("prediction.listed", {{"count", count_text(listed)}, {"all", count_text(c.classes)}});
        const std::string shorter = text("prediction.softmax") + "   " + of_all;
        const auto fits = [&](const std::string& words) {
            return scene.canvas.measure(words, Font::caption).x <= right.width();
        };
        title = fits(usual + "   " + of_all) ? usual + "   " + of_all : fits(shorter) ? shorter : usual;
    }
    text_line(scene, {right.x0, right.y0}, right.width(), title, Font::caption, theme.palette.muted);
    scene.ui.probe.mark("prediction.listed", {right.x0, right.y0, right.x1, list.y0}, listed, title);
    draw_classes(scene, list, selection);
}

}  // namespace vitrine
