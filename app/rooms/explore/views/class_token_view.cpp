#include <algorithm>
#include <cmath>

#include "app/rooms/figures/figures.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/hot_area.h"
#include "app/ui/widgets/number.h"
#include "app/ui/widgets/plot.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "core/measures/analysis.h"

namespace vitrine {

namespace {

/// The sequence: the class token comes in from the left and the patches make room.
void draw_sequence(const Scene& scene, Rect rect, Selection& selection) {
    const Theme& theme = scene.ui.theme;
    const Config& c = scene.now.model->config;
    const float line = scene.canvas.measure("", Font::caption).y + theme.px(4), gap = theme.px(4);
    text_line(scene, {rect.x0, rect.y0}, rect.width(),
              scene.ui.text("class_token.sequence", {{"count", count_text(c.tokens())}}), Font::caption,
              theme.palette.muted);
    const float side = std::min(theme.px(52), rect.height() - line), come = phase(scene.time, 0, 0.6F);
    const int shown = std::min(c.patches(), static_cast<int>((rect.width() - side) / (side + gap)));
    scene.canvas.push_clip(rect);
    const float y = rect.y0 + line, shift = (side + gap) * come;
    for (int patch = 0; patch < shown; ++patch) {
        const float x = rect.x0 + shift + (side + gap) * static_cast<float>(patch);
        const auto p = static_cast<float>(c.patch_size);
        const float left = static_cast<float>(patch % c.grid_width()) * p,
                    top = static_cast<float>(patch / c.grid_width()) * p;
        const Rect frame{x, y, x + side, y + side};
        scene.canvas.picture(frame, {scene.now.patched, {left, top, left + p, top + p}, true, 1, 1});
        if (c.token_of(patch) == selection.focus.token) scene.canvas.stroke(frame, theme.palette.query, theme.px(3));
    }
    const float x = rect.x0 - (side + gap) * (1 - come);
    const Rect own{x, y, x + side, y + side};
    scene.canvas.fill(own, theme.palette.raised, theme.px(5));
    scene.canvas.stroke(own, theme.palette.accent, theme.px(2), theme.px(5));
    const std::string words = short_token_name(scene.ui, 0);
    scene.canvas.text({own.centre().x, own.centre().y - scene.canvas.measure("", Font::caption).y / 2},
                      fitted(scene.canvas, words, Font::caption, side),
                      {Font::caption, theme.palette.text, Align::centre});
    scene.canvas.pop_clip();
    const Rect row{rect.x0, y, rect.x0 + (side + gap) * static_cast<float>(shown + 1), y + side};
    const Hit hit = hot_area(scene.ui, "class_token.sequence", row, {}, {1, shown + 1});
    if (!hit.at) return;
    const int token = std::clamp(static_cast<int>((hit.at->x - rect.x0) / (side + gap)), 0, shown);
    selection.hover_token(token);
    if (hit.clicked) selection.focus.token = token;
}

struct Course {
    std::vector<double> level, turn, other, length;  // other: cosine with the class token of the other picture
};
Course course_of(const Scene& scene) {
    const Trace& t = scene.now.trace;
    const Parameter& learned = scene.now.model->weights.class_token;
    Course course;
    for (int i = 0; i <= scene.now.model->config.blocks; ++i) {
        const std::span<const float> own = row_of(t.z(i), 0);
        course.level.push_back(i);
        course.turn.push_back(static_cast<double>(cosine(own, {learned.data(), learned.size()})));
        course.other.push_back(static_cast<double>(cosine(own, row_of(scene.now.other->class_tokens, i))));
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
              {0, graph.level.back(), scene.ui.text("class_token.axis")}, {low, std::max(high, low + 1e-6) * 1.05, {}});
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
    const Parameter& learned = scene.now.model->weights.class_token;
    const float gap = theme.px(16), strip = std::clamp(a.height() * 0.2F, theme.px(70), theme.px(130));
    RectStack stack(a, gap);
    draw_sequence(scene, stack.next(theme.px(82)), selection);
    vector_figure(scene, stack.next(strip),
                  {"class_token.vector",
                   text("class_token.vector", {{"count", count_text(c.embedding_dim)}}),
                   {learned.data(), learned.size()},
                   row_region(Quantity::class_token, 0, 0, 0, c.embedding_dim),
                   theme.palette.accent,
                   0,
                   {}},
                  selection);
    const int block = selection.focus.block;
    vector_figure(scene, stack.next(strip),
                  {"class_token.state",
                   text("class_token.state", {{"block", scene.ui.ordinal(block - 1)}}),
                   row_of(scene.now.trace.z(block), 0),
                   row_region(Quantity::z, block, 0, 0, c.embedding_dim),
                   theme.palette.residual,
                   0,
                   {}},
                  selection);
    const Course course = course_of(scene);
    const Rect rest = stack.rest();
    const std::string other = text("class." + scene.now.other->sample);
    draw_graph(scene, columns(rest, 0, 0.31F),
               {"class_token.turn", text("class_token.turn"), course.level, course.turn, 0}, selection);
    draw_graph(scene, columns(rest, 0.345F, 0.655F),
               {"class_token.other", text("class_token.other", {{"other", other}}), course.level, course.other, 0},
               selection);
    draw_graph(scene, columns(rest, 0.69F, 1),
               {"class_token.length", text("class_token.length"), course.level, course.length, 0}, selection);
}

}  // namespace vitrine
