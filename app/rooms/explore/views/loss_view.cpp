#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/chapters/model_words.h"
#include "app/rooms/explore/views/views.h"
#include "app/rooms/figures/figures.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/hot_area.h"
#include "app/ui/widgets/number.h"
#include "app/ui/widgets/plot.h"
#include "app/workspace/library.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "core/measures/analysis.h"

namespace vitrine {

namespace {

std::span<const float> row_of_all(const Tensor2& values) { return {values.data(), values.size()}; }

/// The listed classes: the best ones, including the chosen one.
std::vector<int> classes_listed(const Scene& scene, int chosen, int count) {
    std::vector<int> classes = largest(row_of_all(scene.now.trace.head->probabilities), count);
    if (std::find(classes.begin(), classes.end(), chosen) == classes.end()) classes.back() = chosen;
    return classes;
}

/// P, Q and Q − P of every listed class; a click makes a class the true one.
void draw_class_choices(const Scene& scene, Rect rect, Selection& selection) {
    const Theme& theme = scene.ui.theme;
    const Text& text = scene.ui.text;
    const int chosen = true_class_of(scene.now, selection);
    const std::span<const float> q = row_of_all(scene.now.trace.head->probabilities);
    const float line = theme.px(32);
    const int count = std::clamp(static_cast<int>(rect.height() / line) - 1, 1, static_cast<int>(q.size()));
    const float names = rect.width() * 0.26F, part = (rect.width() - names) / 3;
    const auto column = [&](int i) { return rect.x0 + names + part * static_cast<float>(i); };
    const char* const heads[] = {"loss.true", "loss.given", "loss.slope"};
    for (int i = 0; i < 3; ++i)
        text_line(scene, {column(i), rect.y0}, part - theme.px(10), text(heads[i]), Font::caption, theme.palette.muted);
    const std::vector<int> classes = classes_listed(scene, chosen, count);
    const float shown = phase(scene.time, 0.3F, 1);
    for (std::size_t i = 0; i < classes.size(); ++i) {
        const int label = classes[i];
        const float y = rect.y0 + line * static_cast<float>(i + 1), p = label == chosen ? 1.0F : 0.0F,
                    given = q[static_cast<std::size_t>(label)];
        const Rect row{rect.x0, y, rect.x1, y + line - theme.px(2)};
        const Hit hit = hot_area(scene.ui, "loss.class." + std::to_string(label), row,
                                 class_name(scene.ui, *scene.now.model, label));
        if (hit.clicked) selection.focus.dials.true_class = label;
        if (label == chosen || hit.at) scene.canvas.fill(row, theme.palette.raised, theme.px(4));
        if (label == chosen)
            scene.canvas.fill({row.x0, row.y0, row.x0 + theme.px(4), row.y1}, theme.palette.accent, theme.px(2));
        const float top = y + (line - scene.canvas.measure("", Font::body).y) / 2;
        text_line(scene, {row.x0 + theme.px(10), top}, names - theme.px(14),
                  class_name(scene.ui, *scene.now.model, label), Font::body);
        const auto bar = [&](int which, float from, float to, Color color) {
            const float room = part - theme.px(20);
            const Rect track{column(which), y + theme.px(8), column(which) + room, y + line - theme.px(10)};
            scene.canvas.fill(track, theme.palette.line.with_alpha(0.5F), theme.px(2));
            scene.canvas.fill(
                {track.x0 + room * std::min(from, to), track.y0, track.x0 + room * std::max(from, to), track.y1}, color,
                theme.px(2));
        };
        bar(0, 0, p, theme.palette.value);
        bar(1, 0, given, theme.palette.accent);
        bar(2, 0.5F, 0.5F + 0.5F * (given - p) * shown, given > p ? theme.palette.positive : theme.palette.negative);
        scene.ui.probe.mark("loss.slope." + std::to_string(label), row, static_cast<double>(given - p));
    }
}

void draw_curve(const Scene& scene, Rect rect, double probability, double loss) {
    const Theme& theme = scene.ui.theme;
    const Text& text = scene.ui.text;
    const double high = std::max(5.0, std::min(20.0, loss * 1.2));
    std::vector<double> q, y;
    for (double nats = high; nats >= 0; nats -= high / 200) {
        q.push_back(std::exp(-nats));
        y.push_back(nats);
    }
    Plot plot(scene.canvas, scene.ui, rect, {0, 1, text("loss.axis")}, {0, high, text("loss.curve")});
    plot.line({q, y, theme.palette.accent, text("loss.curve"), 2});
    const Point p{plot.x_of(probability), plot.y_of(std::min(loss, high))};
    scene.canvas.circle(p, theme.px(7), theme.palette.key);
    const Hit hit = hot_area(scene.ui, "loss.plot", plot.area(), {}, Reach::along_axis);
    if (hit.at) plot.readout(*hit.at);
}

/// Buttons for the previous and next class, for models with more classes than are listed.
void draw_steps(const Scene& scene, Rect rect, Selection& selection) {
    const int chosen = true_class_of(scene.now, selection);
    const int count = scene.now.model->config.classes;
    ImGui::SetCursorScreenPos({rect.x0, rect.y0});
    if (icon_button(scene.ui, {"loss.previous", {}, scene.ui.text("loss.previous"), {}}, Icon::left, Emphasis::plain))
        selection.focus.dials.true_class = (chosen + count - 1) % count;
    ImGui::SameLine();
    if (icon_button(scene.ui, {"loss.next", {}, scene.ui.text("loss.next"), {}}, Icon::right, Emphasis::plain))
        selection.focus.dials.true_class = (chosen + 1) % count;
    const float x = rect.x0 + scene.ui.theme.px(96);
    const bool known = scene.now.image->bundled || selection.focus.dials.true_class;  // of a file only its owner knows
    const std::string words =
        scene.ui.text(known ? "loss.choose" : "loss.ask", {{"class", class_name(scene.ui, *scene.now.model, chosen)}});
    const Rect line{x, rect.y0 + scene.ui.theme.px(6), rect.x1, rect.y1};
    text_line(scene, {line.x0, line.y0}, line.width(), words, Font::strong);
    scene.ui.probe.mark("loss.chosen", line, known ? 1 : 0, words);
}

}  // namespace

void loss_view(const Scene& scene, Selection& selection, WhatIfs&) {
    const Rect& a = scene.area;
    const Theme& theme = scene.ui.theme;
    const Text& text = scene.ui.text;
    if (scene.now.model->config.classes == 0) {
        const std::string none = text(key_for(text, "loss.none", scene.now.model->config));
        text_block(scene, a, none, Font::heading);
        scene.ui.probe.mark("loss.none", a, 0, none);
        return;
    }
    const float controls = theme.px(46), words = theme.px(64);
    draw_steps(scene, {a.x0, a.y0, a.x1, a.y0 + controls}, selection);
    const int chosen = true_class_of(scene.now, selection);
    const double loss = cross_entropy(row_of_all(scene.now.trace.head->logits), chosen),
                 before = cross_entropy(row_of_all(scene.now.baseline.head->logits), chosen);
    const auto probability =
        static_cast<double>(scene.now.trace.head->probabilities(0, static_cast<std::size_t>(chosen)));
    const Rect below{a.x0, a.y0 + controls, a.x1, a.y1 - words};
    draw_class_choices(scene, columns(below, 0, 0.58F), selection);
    draw_curve(scene, columns(below, 0.63F, 1), probability, loss);
    // Three digits of a probability near 1 would read 1.00, whose loss is 0.
    constexpr double rounds_to_one = 0.9995;
    const std::string p =
        probability < rounds_to_one ? number_text(probability) : "(1 − " + number_text(-std::expm1(-loss)) + ")";
    const std::string value = text("loss.value", {{"probability", p}, {"loss", number_text(loss)}});
    const Rect line{a.x0, a.y1 - words + theme.px(8), a.x1, a.y1};
    text_line(scene, {line.x0, line.y0}, line.width(), value, Font::heading, theme.palette.accent);
    scene.ui.probe.mark("loss.value", line, loss, value);
    if (scene.now.trace.head != scene.now.baseline.head)
        text_line(scene, {line.x0, line.y0 + scene.canvas.measure("", Font::heading).y}, line.width(),
                  text("loss.before", {{"loss", number_text(before)}}), Font::body, theme.palette.muted);
}

}  // namespace vitrine
