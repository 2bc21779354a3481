#include <algorithm>
#include <cmath>

#include "app/chapters/shown_scores.h"
#include "app/rooms/explore/views/views.h"
#include "app/rooms/figures/computation.h"
#include "app/rooms/figures/figures.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/colour_map.h"
#include "app/ui/widgets/heatmap.h"
#include "app/ui/widgets/hot_area.h"
#include "app/ui/widgets/number.h"
#include "app/ui/widgets/rich_text.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "core/measures/analysis.h"
#include "core/studies/normalisation.h"
#include "core/tensor/entropy.h"
#include "core/transformer/equations.h"
#include "core/vit/token_places.h"

namespace vitrine {

namespace {

/// A small picture in which a click chooses one of the two tokens.
struct Picker {
    std::string id, title;
    Color color;
    int chosen;
};
std::optional<int> draw_picker(const Scene& scene, Rect rect, const Picker& picker) {
    const Theme& theme = scene.ui.theme;
    const Config& c = scene.now.model->config;
    const float line = scene.canvas.measure("", Font::caption).y + theme.px(3);
    text_line(scene, {rect.x0, rect.y0}, rect.width(), picker.title, Font::caption, picker.color);
    const Rect figure = fit({rect.x0, rect.y0 + line, rect.x1, rect.y1},
                            static_cast<float>(c.grid_width()) / static_cast<float>(c.grid_height()));
    const Rect place{rect.x0, rect.y0 + line, rect.x0 + figure.width(), rect.y0 + line + figure.height()};
    const GridSize size{c.grid_height(), c.grid_width()};
    scene.canvas.picture(place, {scene.now.patched, {}, true, 0.9F, 1});
    const int patch = c.patch_of(picker.chosen);
    const bool whole = !c.is_patch(picker.chosen);  // a token that is no patch has the whole picture's outline
    outline_cell(scene.canvas, scene.ui,
                 whole ? place : cell_rect(place, size, {patch / size.columns, patch % size.columns}), picker.color);
    const Hit hit = hot_area(scene.ui, picker.id, place, picker.title, {size.rows, size.columns});
    const auto cell = hit.at ? cell_at(place, size, *hit.at) : std::nullopt;
    if (!cell) return std::nullopt;
    outline_cell(scene.canvas, scene.ui, cell_rect(place, size, *cell), theme.palette.text);
    return hit.clicked ? std::optional(c.token_of(cell->row * size.columns + cell->column)) : std::nullopt;
}

/// A row of weights with the key marked, and its caption.
struct RowFigure {
    std::string id, title;
    std::vector<float> scores, weights;
    std::optional<Region> region;
    float top = 1;  // the weight whose bar has the figure's full height, the same in both rows
};
void draw_row(const Scene& scene, Rect rect, const RowFigure& row, Selection& selection) {
    const Theme& theme = scene.ui.theme;
    const float line = scene.canvas.measure("", Font::caption).y + theme.px(2);
    const int key = selection.focus.key;
    const auto count = static_cast<float>(row.weights.size());
    const auto width_of = [&](const std::string& words) { return scene.canvas.measure(words, Font::caption).x; };
    const ColourScale heights{ColourMap::sequential, 0, std::max(row.top, 1e-9F), selection.focus.lab.curve};
    const std::string bent = heights.curve == Curve::linear ? "" : heights.curve == Curve::root ? "√a" : "log a";
    const std::string most = number_text(static_cast<double>(row.top));
    const auto with_curve = [&](const std::string& words) {
        return bent.empty() ? words : scene.ui.text("scores.range_bent", {{"range", words}, {"curve", bent}});
    };
    std::string range = with_curve(scene.ui.text("scores.range", {{"most", most}}));
    if (width_of(row.title) + width_of(range) + theme.px(12) > rect.width()) range = with_curve("0 … " + most);
    const float scale = width_of(range), title = std::max(1.0F, rect.width() - scale - theme.px(12));
    text_line(scene, {rect.x0, rect.y0}, title, row.title, Font::caption, theme.palette.accent);
    text_line(scene, {rect.x1 - scale, rect.y0}, scale + 1, range, Font::caption, theme.palette.muted);
    scene.ui.probe.mark(row.id + ".range", {rect.x1 - scale, rect.y0, rect.x1, rect.y0 + line},
                        static_cast<double>(row.top), range);
    const Rect bars{rect.x0, rect.y0 + line, rect.x1, rect.y1 - line - theme.px(4)};
    scene.canvas.fill(bars, theme.palette.raised, theme.px(4));
    const float high = *std::max_element(row.weights.begin(), row.weights.end()), width = bars.width() / count;
    const float shown = phase(scene.time, 0.7F, 1);
    for (std::size_t i = 0; i < row.weights.size(); ++i) {
        const float x = bars.x0 + width * static_cast<float>(i);
        const float height = bars.height() * heights.position(row.weights[i]) * shown;
        const bool marked = static_cast<int>(i) == key;
        if (marked) scene.canvas.fill({x, bars.y0, x + std::max(width, theme.px(3)), bars.y1}, theme.palette.line);
        scene.canvas.fill({x, bars.y1 - height, x + std::max(1.0F, width - (width >= 4 ? 1.0F : 0.0F)), bars.y1},
                          marked ? theme.palette.key : theme.palette.accent);
    }
    if (row.region)
        point_at_cells(scene, bars, {row.id, *row.region, {1, static_cast<int>(row.weights.size())}}, selection);
    const Moments m = moments_of(row.scores);
    const std::string told =
        scene.ui.text("scores.told", {{"most", number_text(static_cast<double>(high))},
                                      {"entropy", number_text(static_cast<double>(entropy(row.weights)))},
                                      {"variance", number_text(m.deviation * m.deviation)}});
    text_line(scene, {rect.x0, rect.y1 - line}, rect.width(), told, Font::caption, theme.palette.muted);
    scene.ui.probe.mark(row.id + ".entropy", {rect.x0, rect.y1 - line, rect.x1, rect.y1},
                        static_cast<double>(entropy(row.weights)), told);
}

ScoreRule rule_of(const Scene& scene, const Focus& f) {
    return equations_of(scene.now.model->config, scene.now.experiment.what_ifs, {f.block, f.head, f.token}).scores;
}

/// Writes q · k / √d = … with this pair's numbers and the run's divisor.
void draw_sum(const Scene& scene, Rect rect, const Selection& selection) {
    const Config& c = scene.now.model->config;
    const Focus& f = selection.focus;
    const auto t = block_of(scene, selection);
    const std::span<const float> q = row_of(t->queries(), f.head, f.token), k = row_of(t->keys(), f.head, f.key);
    double sum = 0;
    for (std::size_t i = 0; i < q.size(); ++i) sum += static_cast<double>(q[i]) * static_cast<double>(k[i]);
    const auto score = static_cast<double>(row_of(t->scores, f.head, f.token)[static_cast<std::size_t>(f.key)]);
    const auto weight = static_cast<double>(row_of(t->attention, f.head, f.token)[static_cast<std::size_t>(f.key)]);
    const ScoreRule rule = rule_of(scene, f);
    const std::string divisor = divisor_words(rule, std::to_string(c.head_dim()));
    const bool biased = c.position_bias > 0;
    const double added = biased ? position_bias_at(weights_of(scene, selection), c, f.head, f.token, f.key) : 0;
    const double divided = rule.divisor(c.head_dim());
    const int digits = digits_for(
        score, [&](double dot, double from_table) { return dot / divided + from_table; }, sum, added);
    const std::string bias =
        biased ? (added < 0 ? " − " : " + ") + std::string("{residual|") + digits_text(std::abs(added), digits) + "}"
               : "";
    const std::string total = (divisor.empty() && !biased)
                                  ? "{accent|" + number_text(score) + "}"
                                  : digits_text(sum, digits) + (divisor.empty() ? "" : "     ÷ " + divisor) + bias +
                                        " = {accent|" + number_text(score) + "}";
    const std::string words = "{query|q} · {key|k} = " + total + "     softmax → {accent|" + number_text(weight) + "}";
    const RichText large{words, Font::heading, {}, Align::left};
    const bool fits = measure_rich(scene.canvas, large, 1e9F).x <= rect.width();  // the equation has only one line
    text_block(scene, rect, words, fits ? Font::heading : Font::body);
    scene.ui.probe.mark("scores.sum", rect, sum, divisor);
    scene.ui.probe.mark("scores.score", rect, score, without_markup(words));
    scene.ui.probe.mark("scores.weight", rect, weight, number_text(weight));
}

/// Draws two small pictures for choosing query and key.
void draw_pickers(const Scene& scene, Rect rect, float gap, Focus& f) {
    const Theme& theme = scene.ui.theme;
    const Text& text = scene.ui.text;
    RectStack pickers(rect, gap);
    if (!scene.ui.bare) pickers.next(text_block(scene, rect, text("scores.choose"), Font::caption));  // a hint
    const float height = (pickers.rest().height() - gap) / 2;
    if (const auto token = draw_picker(
            scene, pickers.next(height),
            {"scores.query", text("scores.query", {{"token", short_token_name(scene.ui, scene.now, f.token)}}),
             theme.palette.query, f.token}))
        f.token = *token;
    if (const auto token =
            draw_picker(scene, pickers.next(height),
                        {"scores.key", text("scores.key", {{"token", short_token_name(scene.ui, scene.now, f.key)}}),
                         theme.palette.key, f.key}))
        f.key = *token;
}

/// Draws, for each key, the entry of the table of relative positions that is added to the query's score.
void draw_bias(const Scene& scene, Rect rect, Selection& selection) {
    const Config& c = scene.now.model->config;
    const Focus& f = selection.focus;
    std::vector<float> values;
    for (int key = 0; key < c.tokens(); ++key)
        values.push_back(static_cast<float>(position_bias_at(weights_of(scene, selection), c, f.head, f.token, key)));
    const float reach = reach_of(values);
    token_map(scene, rect,
              {"scores.bias",
               scene.ui.text("scores.bias", {{"token", short_token_name(scene.ui, scene.now, f.token)}}),
               values,
               {ColourMap::diverging, -reach, reach},
               {},
               {},
               false},
              selection);
}

/// The ending of the text keys for the queries and keys that the scores use: "_turned" for "block.1.q.turned".
std::string ending_of_queries(const Config& config) {
    std::string name = name_of(queries_of(config), 1);
    name.erase(0, name.rfind(".q") + 2);
    std::ranges::replace(name, '.', '_');
    return name;
}

/// Draws q, k and their products, feature by feature, each `strip` high.
void draw_products(const Scene& scene, RectStack& stack, float strip, Selection& selection) {
    const Theme& theme = scene.ui.theme;
    const Text& text = scene.ui.text;
    const Focus& f = selection.focus;
    const ShownScores shown = scores_shown(scene.now, f);
    const Config& config = scene.now.model->config;
    const int d = config.head_dim();
    const std::string own = ending_of_queries(config);
    const float reach = std::max(reach_of(shown.q), reach_of(shown.k)), multiplied = phase(scene.time, 0.1F, 0.45F);
    const auto draw_row = [&](const std::string& id, std::span<const float> values, const Region& row, Color color) {
        const std::string name = short_token_name(scene.ui, scene.now, row.first_row);
        vector_figure(scene, stack.next(strip),
                      {id, text(id + own, {{"token", name}, {"d", count_text(d)}}), values, row, color, reach, {}},
                      selection);
    };
    draw_row("scores.q", shown.q, row_region(queries_of(config), f.block, f.head, f.token, d), theme.palette.query);
    draw_row("scores.k", shown.k, row_region(keys_of(config), f.block, f.head, f.key, d), theme.palette.key);
    std::vector<float> product = shown.product;
    const float product_reach = reach_of(product);
    for (float& x : product) x *= multiplied;
    vector_figure(scene, stack.next(strip),
                  {"scores.product", text("scores.product"), product, {}, {}, product_reach, {}}, selection);
}

/// Draws the query's weights in the run, and without the division.
void draw_rows(const Scene& scene, RectStack& stack, float gap, Selection& selection) {
    const Text& text = scene.ui.text;
    const Focus& f = selection.focus;
    const ShownScores shown = scores_shown(scene.now, f);
    const std::string divisor = divisor_words(rule_of(scene, f), "d"), divided = divisor.empty() ? "" : " ÷ " + divisor;
    const float top = selection.reach("scores.rows", std::max(reach_of(shown.weights), reach_of(shown.without)));
    const float height = (stack.rest().height() - gap) / 2;
    draw_row(scene, stack.next(height),
             {"scores.row",
              text("scores.row", {{"token", short_token_name(scene.ui, scene.now, f.token)}, {"divided", divided}}),
              shown.scores, shown.weights,
              row_region(Quantity::attention, f.block, f.head, f.token, scene.now.model->config.tokens()), top},
             selection);
    draw_row(scene, stack.next(height),
             {"scores.row_without", text("scores.row_without"), shown.undivided, shown.without, {}, top}, selection);
}

}  // namespace

void scores_view(const Scene& scene, Selection& selection, WhatIfs&) {
    const Theme& theme = scene.ui.theme;
    const Rect left = columns(scene.area, 0, 0.24F), right = columns(scene.area, 0.28F, 1);
    const float gap = theme.px(10);
    const bool biased = scene.now.model->config.position_bias > 0;
    const float pickers = biased ? left.y0 + left.height() * 0.6F : left.y1;
    draw_pickers(scene, {left.x0, left.y0, left.x1, pickers}, gap, selection.focus);
    if (biased) draw_bias(scene, {left.x0, pickers + gap, left.x1, left.y1}, selection);
    const float line = theme.px(40), strip = (right.height() - line - 5 * gap) / 5.4F;
    RectStack stack(right, gap);
    draw_products(scene, stack, strip, selection);
    const Rect sum = stack.next(line);
    if (scene.time >= 0.5F) draw_sum(scene, sum, selection);
    draw_rows(scene, stack, gap, selection);
}

}  // namespace vitrine
