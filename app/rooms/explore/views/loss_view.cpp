#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/chapters/model_words.h"
#include "app/library/library.h"
#include "app/platform/imgui_compat.h"
#include "app/rooms/explore/views/views.h"
#include "app/rooms/figures/figures.h"
#include "app/ui/kept.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/hot_area.h"
#include "app/ui/widgets/number.h"
#include "app/ui/widgets/plot.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "core/measures/analysis.h"

namespace vitrine {

namespace {

std::span<const float> row_of_all(const Tensor2& values) { return {values.data(), values.size()}; }

/// Left ends of the three columns beside the classes' names: P, Q and Q − P.
struct LossColumns {
    float x0, names, part;

    explicit LossColumns(Rect rect) : x0(rect.x0), names(rect.width() * 0.26F), part((rect.width() - names) / 3) {}
    float operator[](int i) const { return x0 + names + part * static_cast<float>(i); }
};

/// Writes the ends of a column's scale above its bars, and 0 in the middle of the signed one.
void draw_column_ends(const Scene& scene, const LossColumns& columns, int which, float y) {
    const Theme& theme = scene.ui.theme;
    const float room = columns.part - theme.px(20), x0 = columns[which];
    const auto number = [&](float x, const char* words, Align align) {
        scene.canvas.text({x, y}, words, {Font::caption, theme.palette.muted, align});
    };
    const bool is_difference = which == 2;
    number(x0, is_difference ? "−1" : "0", Align::left);
    if (is_difference) number(x0 + room / 2, "0", Align::centre);
    number(x0 + room, "1", Align::right);
    scene.ui.probe.mark("loss.ends." + std::to_string(which),
                        {x0, y, x0 + room, y + scene.canvas.measure("", Font::caption).y}, 1,
                        is_difference ? "−1 0 1" : "0 1");
}

/// Draws P, Q and Q − P of a class; a click makes it the true class.
void draw_class_choice(const Scene& scene, Canvas& canvas, Rect row, int label, Selection& selection) {
    const Theme& theme = scene.ui.theme;
    const LossColumns columns(row);
    const int chosen = true_class_of(scene.now, selection);
    const float p = label == chosen ? 1.0F : 0.0F,
                given = scene.now.trace.head->probabilities(0, static_cast<std::size_t>(label)),
                shown = phase(scene.time, 0.3F, 1);
    const std::string name = class_name(scene.ui, *scene.now.model, label);
    const Hit hit = hot_area(scene.ui, "loss.class." + std::to_string(label), row, name);
    if (hit.clicked) selection.focus.dials.true_class = label;
    if (label == chosen || hit.at) canvas.fill(row, theme.palette.raised, theme.px(4));
    if (label == chosen) canvas.fill({row.x0, row.y0, row.x0 + theme.px(4), row.y1}, theme.palette.accent, theme.px(2));
    const float top = row.y0 + (row.height() + theme.px(2) - canvas.measure("", Font::body).y) / 2;
    canvas.text({row.x0 + theme.px(10), top}, fitted(canvas, name, Font::body, columns.names - theme.px(14)),
                {Font::body, theme.palette.text, Align::left});
    const auto bar = [&](int which, float from, float to, Color color) {
        const float room = columns.part - theme.px(20);
        const Rect track{columns[which], row.y0 + theme.px(8), columns[which] + room, row.y1 - theme.px(8)};
        canvas.fill(track, theme.palette.line.with_alpha(0.5F), theme.px(2));
        if (from == to) return;
        const float width = std::max(theme.px(1), room * std::abs(to - from));
        const float x = to > from ? track.x0 + room * from : track.x0 + room * from - width;
        canvas.fill({x, track.y0, x + width, track.y1}, color, std::min(theme.px(2), width / 2));
    };
    bar(0, 0, p, theme.palette.value);
    bar(1, 0, given, theme.palette.accent);
    bar(2, 0.5F, 0.5F + 0.5F * (given - p) * shown, given > p ? theme.palette.positive : theme.palette.negative);
    scene.ui.probe.mark("loss.slope." + std::to_string(label), row, static_cast<double>(given - p));
}

/// Draws all classes, the most probable first, in a list that scrolls to a newly chosen true class.
void draw_class_choices(const Scene& scene, Rect rect, Selection& selection) {
    const Theme& theme = scene.ui.theme;
    const Text& text = scene.ui.text;
    const std::vector<int> classes =
        largest(row_of_all(scene.now.trace.head->probabilities), scene.now.model->config.classes);
    const float line = theme.px(32), bar = theme.px(14);  // room for the list's scroll bar
    const LossColumns heads({rect.x0, rect.y0, rect.x1 - bar, rect.y1});
    const auto head = [&](float x, float width, const std::string& words) {
        text_line(scene, {x, rect.y0}, width - theme.px(10), words, Font::caption, theme.palette.muted);
    };
    const std::string count = text("loss.classes", {{"count", std::to_string(classes.size())}});
    head(rect.x0 + theme.px(10), heads.names, count);
    scene.ui.probe.mark("loss.classes", {rect.x0, rect.y0, rect.x0 + heads.names, rect.y0 + line}, 0, count);
    const char* const names[] = {"loss.true", "loss.given", "loss.slope"};
    const float words = scene.canvas.measure("", Font::caption).y, above = 2 * words + theme.px(6);
    for (int i = 0; i < 3; ++i) {
        head(heads[i], heads.part, text(names[i]));
        draw_column_ends(scene, heads, i, rect.y0 + words + theme.px(2));
    }
    ImGui::SetCursorScreenPos({rect.x0, rect.y0 + above});
    // Only whole rows are visible: a row that is cut off would look like the end of the list.
    const float rows = std::max(1.0F, std::floor((rect.height() - above) / line));
    begin_child({"loss.list", rect.width(), std::min(rect.height() - above, rows * line), false, false, 0});
    WindowCanvas canvas(ImGui::GetWindowDrawList(), scene.ui);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const Point seen{ImGui::GetWindowPos().y, ImGui::GetWindowPos().y + ImGui::GetWindowHeight()};
    const int chosen = true_class_of(scene.now, selection);
    const bool moved = Kept<int>("chosen", -1).exchange(chosen) != chosen;
    for (std::size_t i = 0; i < classes.size(); ++i) {
        const float y = at.y + line * static_cast<float>(i);
        const Rect row{at.x, y, rect.x1 - bar, y + line - theme.px(2)};
        if (row.y1 > seen.x && row.y0 < seen.y) draw_class_choice(scene, canvas, row, classes[i], selection);
        if (moved && classes[i] == chosen) scroll_into_view(row);
    }
    ImGui::SetCursorScreenPos(at);
    ImGui::Dummy({1, line * static_cast<float>(classes.size())});
    ImGui::EndChild();
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

/// Q as text, with enough digits that −log Q gives the written loss; near 1 as "(1 − …)".
std::string probability_of(double loss) {
    constexpr double near_one = 0.9995;
    const double probability = std::exp(-loss), rest = -std::expm1(-loss);
    const auto loss_of = [](double q) { return -std::log(q); };
    const auto loss_beside = [](double x) { return -std::log1p(-x); };
    if (probability < near_one) return digits_text(probability, digits_for(loss, loss_of, probability));
    return "(1 − " + digits_text(rest, digits_for(loss, loss_beside, rest)) + ")";
}

/// Draws buttons for the previous and next class by number.
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
    const bool known = scene.now.image->bundled || selection.focus.dials.true_class;  // a file's true class is unknown
    const std::string words = scene.ui.text(known           ? "loss.choose"
                                            : scene.ui.bare ? "loss.ask_bare"
                                                            : "loss.ask",
                                            {{"class", class_in_words(scene.ui, *scene.now.model, chosen)}});
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
    const std::string value = text("loss.value", {{"probability", probability_of(loss)}, {"loss", number_text(loss)}});
    const Rect line{a.x0, a.y1 - words + theme.px(8), a.x1, a.y1};
    text_line(scene, {line.x0, line.y0}, line.width(), value, Font::heading, theme.palette.accent);
    scene.ui.probe.mark("loss.value", line, loss, value);
    if (scene.now.trace.head != scene.now.baseline.head)
        text_line(scene, {line.x0, line.y0 + scene.canvas.measure("", Font::heading).y}, line.width(),
                  text("loss.before", {{"loss", number_text(before)}}), Font::body, theme.palette.muted);
}

}  // namespace vitrine
