#include <algorithm>
#include <cmath>

#include "app/rooms/explore/views/views.h"
#include "app/rooms/figures/figures.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/hot_area.h"
#include "app/ui/widgets/number.h"
#include "app/ui/widgets/picture.h"
#include "app/ui/widgets/plot.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "core/measures/analysis.h"
#include "core/transformer/equations.h"
#include "core/vit/readout.h"

namespace vitrine {

namespace {

/// Draws a token without a patch: its name in a box.
void draw_leading(const Scene& scene, Rect own, int token, const Selection& selection) {
    const Theme& theme = scene.ui.theme;
    scene.canvas.fill(own, theme.palette.raised, theme.px(5));
    const bool is_class = scene.now.model->config.kind_of(token) == TokenKind::class_token;
    const bool chosen = !is_class && selection.focus.token == token;
    const Color edge = chosen ? theme.palette.query : is_class ? theme.palette.accent : theme.palette.line;
    scene.canvas.stroke(own, edge, theme.px(2), theme.px(5));
    scene.canvas.text({own.centre().x, own.centre().y - scene.canvas.measure("", Font::caption).y / 2},
                      fitted(scene.canvas, short_token_name(scene.ui, scene.now, token), Font::caption, own.width()),
                      {Font::caption, theme.palette.text, Align::centre});
}

/// Draws the sequence: in the animation the learned tokens slide in from the left, and the patches make room.
void draw_sequence(const Scene& scene, Rect rect, Selection& selection) {
    const Theme& theme = scene.ui.theme;
    const Config& c = scene.now.model->config;
    const float line = scene.canvas.measure("", Font::caption).y + theme.px(4), gap = theme.px(4);
    const std::string words = scene.ui.text("class_token.sequence", {{"count", count_text(c.tokens())}});
    const bool none = vector_of_class_token(*scene.now.model).empty();
    text_line(scene, {rect.x0, rect.y0}, rect.width(), none ? words + " · " + scene.ui.text("class_token.none") : words,
              Font::caption, theme.palette.muted);
    const float side = std::min(theme.px(52), rect.height() - line), come = phase(scene.time, 0, 0.6F);
    const int shown = std::min(c.tokens(), static_cast<int>((rect.width() + gap) / (side + gap)));
    const float step = side + gap, y = rect.y0 + line,
                away = step * static_cast<float>(c.leading_tokens()) * (1 - come);
    scene.canvas.push_clip(rect);
    for (int token = 0; token < shown; ++token) {
        const float x = rect.x0 + step * static_cast<float>(token) - away;
        const Rect frame{x, y, x + side, y + side};
        if (!c.is_patch(token)) {
            draw_leading(scene, frame, token, selection);
            continue;
        }
        const auto p = static_cast<float>(c.patch_size);
        const int patch = c.patch_of(token);
        const float left = static_cast<float>(patch % c.grid_width()) * p,
                    top = static_cast<float>(patch / c.grid_width()) * p;
        scene.canvas.picture(frame, {scene.now.patched, {left, top, left + p, top + p}, true, 1, 1});
        if (token == selection.focus.token) scene.canvas.stroke(frame, theme.palette.query, theme.px(3));
    }
    scene.canvas.pop_clip();
    const Rect row{rect.x0, y, rect.x0 + step * static_cast<float>(shown) - gap, y + side};
    const Hit hit = hot_area(scene.ui, "class_token.sequence", row, {}, {1, shown});
    if (!hit.at) return;
    const int token = std::clamp(static_cast<int>((hit.at->x - rect.x0) / step), 0, shown - 1);
    selection.hover_token(token);
    if (hit.clicked) selection.focus.token = token;
}

/// The read vector by level: cosine with its start (`turn`) and with the other picture's vector (`other`), and length.
struct Course {
    std::vector<double> level, turn, other, length;
};
Course course_of(const Scene& scene) {
    const Trace& t = scene.now.trace;
    const Config& c = scene.now.model->config;
    const std::span<const float> learned = vector_of_class_token(*scene.now.model);
    const bool class_token = c.readout == Readout::class_token;
    const Tensor2 start = read_out(c, t.z(0));
    Course course;
    for (int i = 0; i <= c.blocks; ++i) {
        const Tensor2 read = read_out(c, t.z(i));
        const std::span<const float> own = row_of(read, 0);
        course.level.push_back(i);
        course.turn.push_back(static_cast<double>(cosine(own, class_token ? learned : row_of(start, 0))));
        course.other.push_back(static_cast<double>(cosine(own, row_of(scene.now.other->read, i))));
        course.length.push_back(static_cast<double>(summarise(own).norm));
    }
    return course;
}

struct Graph {
    std::string id, title;
    const std::vector<double>&level, &values;
    double low;
};
void draw_graph(const Scene& scene, Rect rect, const Graph& graph, Selection& selection) {
    const Theme& theme = scene.ui.theme;
    const float line = scene.canvas.measure("", Font::caption).y + theme.px(2);
    text_line(scene, {rect.x0, rect.y0}, rect.width(), graph.title, Font::caption, theme.palette.muted);
    const double high = *std::max_element(graph.values.begin(), graph.values.end());
    const double low = std::min(graph.low, *std::min_element(graph.values.begin(), graph.values.end()));
    Plot plot(scene.canvas, scene.ui, {rect.x0, rect.y0 + line, rect.x1, rect.y1},
              {0, graph.level.back(), scene.ui.text("class_token.axis"), true},
              {low, std::max(high, low + 1e-6) * 1.05, {}});
    plot.line({graph.level, graph.values, theme.palette.accent, graph.title, 2});
    for (std::size_t i = 0; i < graph.level.size(); ++i)
        scene.canvas.circle({plot.x_of(graph.level[i]), plot.y_of(graph.values[i])}, theme.px(4), theme.palette.accent);
    plot.marker(selection.focus.block, theme.palette.query, std::to_string(selection.focus.block));
    const Hit hit = hot_area(scene.ui, graph.id, plot.area(), {}, Reach::along_axis);
    if (hit.at) plot.readout(*hit.at);
    if (hit.at && hit.clicked) {
        const float part = (hit.at->x - plot.area().x0) / plot.area().width();
        selection.focus.block = std::clamp(static_cast<int>(std::lround(part * graph.level.back())), 1,
                                           static_cast<int>(graph.level.back()));
    }
    scene.ui.probe.mark(graph.id + ".value", plot.area(),
                        graph.values[static_cast<std::size_t>(selection.focus.block)]);
}

}  // namespace

void class_token_view(const Scene& scene, Selection& selection, WhatIfs&) {
    const Rect& a = scene.area;
    const Theme& theme = scene.ui.theme;
    const Text& text = scene.ui.text;
    const Config& c = scene.now.model->config;
    const std::span<const float> learned = vector_of_class_token(*scene.now.model);
    const ReadTokens read = read_tokens(c);
    const float gap = theme.px(16), strip = std::clamp(a.height() * 0.2F, theme.px(70), theme.px(130));
    RectStack stack(a, gap);
    draw_sequence(scene, stack.next(theme.px(82)), selection);
    if (!learned.empty())
        vector_figure(scene, stack.next(strip),
                      {"class_token.vector",
                       text("class_token.vector", {{"count", count_text(c.embedding_dim)}}),
                       learned,
                       row_region(Quantity::class_token, 0, 0, 0, c.embedding_dim),
                       theme.palette.accent,
                       0,
                       {}},
                      selection);
    const int block = selection.focus.block;
    const Tensor2 state = read_out(c, scene.now.trace.z(block));
    vector_figure(
        scene, stack.next(strip),
        {"class_token.state",
         text("class_token.state." + std::string(name_of(c.readout)), {{"block", scene.ui.ordinal(block - 1)}}),
         row_of(state, 0),
         read.one() && !c.reads_two() ? std::optional(row_region(Quantity::z, block, 0, read.first, c.embedding_dim))
                                      : std::nullopt,
         theme.palette.residual,
         0,
         {}},
        selection);
    const Course course = course_of(scene);
    const Rect rest = stack.rest();
    const bool placed = !scene.now.model->weights.position.empty() &&
                        equations_of(c, scene.now.experiment.what_ifs, {.token = read.first}).positions != 0;
    const std::string other = text("class." + scene.now.other->sample);
    draw_graph(scene, columns(rest, 0, 0.31F),
               {"class_token.turn", text(c.readout == Readout::class_token ? "fact.turn" : "class_token.turn"),
                course.level, course.turn, 0},
               selection);
    draw_graph(scene, columns(rest, 0.345F, 0.655F),
               {"class_token.other", text("class_token.other", {{"other", other}}), course.level, course.other, 0},
               selection);
    draw_graph(scene, columns(rest, 0.69F, 1),
               {"class_token.length", text(placed ? "class_token.length_placed" : "class_token.length"), course.level,
                course.length, 0},
               selection);
}

}  // namespace vitrine
