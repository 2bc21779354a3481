#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "app/platform/imgui_compat.h"
#include "app/rooms/explore/views/views.h"
#include "app/rooms/figures/figures.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/ui.h"
#include "app/ui/widgets/canvas.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/heatmap.h"
#include "app/ui/widgets/hot_area.h"
#include "app/ui/widgets/number.h"
#include "app/ui/widgets/plot.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "app/workspace/words_beside.h"
#include "core/files/image.h"
#include "core/words/text_tower.h"

namespace vitrine {

namespace {

/// Inputs of this chapter's figures.
struct TowersScene {
    const Scene& scene;
    const WordsBeside& words;
    int power;  // the temperature is the learned one times √2 to this power

    float px(float size) const { return scene.ui.theme.px(size); }
    const Palette& palette() const { return scene.ui.theme.palette; }
    const Text& text() const { return scene.ui.text; }
    float line(Font font) const { return scene.canvas.measure("", font).y; }
    const std::vector<float>& probability() const { return words.probability[place_of_temperature(power)]; }
};

void tower_arrow(const TowersScene& t, Point from, Point to) {
    const float head = t.px(5), back = from.x < to.x ? -head : head;
    t.scene.canvas.line(from, {to.x + back, to.y}, t.palette().muted, t.px(1.5F));
    const Point tip[] = {{to.x + back, to.y - head}, {to.x + back, to.y + head}, to};
    t.scene.canvas.polygon(tip, t.palette().muted);
}

struct TowerBox {
    const char* id;
    Rect rect;
    int blocks, width;
    Color color;
};
void tower_box(const TowersScene& t, const TowerBox& box) {
    Canvas& canvas = t.scene.canvas;
    const Rect& r = box.rect;
    const std::string name = t.text()(std::string("two_towers.") + box.id),
                      inside = t.text()("two_towers.blocks",
                                        {{"blocks", count_text(box.blocks)}, {"width", count_text(box.width)}});
    canvas.fill(r, t.palette().raised, t.px(6));
    canvas.fill({r.x0, r.y0, r.x0 + t.px(4), r.y1}, box.color, t.px(2));
    const float x = r.x0 + t.px(12), room = r.x1 - x - t.px(4), both = t.line(Font::body) + t.line(Font::caption);
    text_line(t.scene, {x, r.centre().y - both / 2}, room, name);
    text_line(t.scene, {x, r.centre().y - both / 2 + t.line(Font::body)}, room, inside, Font::caption,
              t.palette().muted);
    t.scene.ui.probe.mark("two_towers." + std::string(box.id), r, box.blocks, name + " " + inside);
}

/// Draws image and texts, a tower for each, and the cosine of both towers' outputs.
void draw_towers(const TowersScene& t, Rect rect) {
    Canvas& canvas = t.scene.canvas;
    const Config& c = t.scene.now.model->config;
    const TransformerConfig& tower = t.words.tower->config;
    const float y = rect.centre().y, side = rect.height(), arrow = t.px(30), pad = t.px(6);
    const std::string texts = t.text()("two_towers.texts", {{"count", count_text(std::ssize(t.words.texts))}}),
                      meet = "cos(f, g)";
    const float left = side + arrow, right = canvas.measure(texts, Font::body).x + arrow + 2 * pad,
                middle = canvas.measure(meet, Font::strong).x + 2 * (arrow + pad);
    const float box = std::max(t.px(60), (rect.width() - left - right - middle) / 2);
    const Rect picture{rect.x0, rect.y0, rect.x0 + side, rect.y1};
    canvas.picture(fit(picture, static_cast<float>(c.image_width) / static_cast<float>(c.image_height)),
                   {t.scene.now.patched, {}, true});
    const Rect one{rect.x0 + left, rect.y0, rect.x0 + left + box, rect.y1},
        other{one.x1 + middle, rect.y0, one.x1 + middle + box, rect.y1};
    tower_arrow(t, {picture.x1 + pad, y}, {one.x0 - pad, y});
    tower_box(t, {"image_tower", one, c.blocks, c.embedding_dim, t.palette().accent});
    tower_box(t, {"text_tower", other, tower.blocks, tower.embedding_dim, t.palette().key});
    tower_arrow(t, {one.x1 + pad, y}, {one.x1 + arrow, y});
    tower_arrow(t, {other.x0 - pad, y}, {other.x0 - arrow, y});
    canvas.text({(one.x1 + other.x0) / 2, y - t.line(Font::strong) / 2}, meet,
                {Font::strong, t.palette().text, Align::centre});
    tower_arrow(t, {other.x1 + arrow, y}, {other.x1 + pad, y});
    text_line(t.scene, {other.x1 + arrow + pad, y - t.line(Font::body) / 2}, rect.x1 - other.x1 - arrow - pad, texts);
}

/// The texts' indices, largest cosine first.
std::vector<std::size_t> by_cosine(const WordsBeside& words) {
    std::vector<std::size_t> order(words.texts.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::greater(), [&](std::size_t i) { return words.cosine[i]; });
    return order;
}

constexpr std::size_t most_curves = 6;
/// The colour of a text's curve, by its rank.
Color color_of_curve(const Palette& p, std::size_t rank) {
    const std::array<Color, most_curves> colors = {p.query, p.key, p.value, p.mlp, p.norm, p.residual};
    return colors[rank];
}

/// Draws each text's cosine, logit and probability, nearest first.
void draw_texts(const TowersScene& t, Rect rect) {
    Canvas& canvas = t.scene.canvas;
    const LogitScale scale = at_temperature(t.words.learned, t.power);
    const std::vector<float> logits = logits_of(t.words.cosine, scale);
    const std::vector<std::size_t> order = by_cosine(t.words);
    const float edges[] = {0.44F, 0.64F, 0.83F, 1.0F};
    const auto right = [&](int column) { return rect.x0 + rect.width() * edges[column]; };
    const std::string heads[] = {"cos", "S", "p"};
    for (int i = 0; i < 3; ++i)
        canvas.text({right(i + 1), rect.y0}, heads[i], {Font::caption, t.palette().muted, Align::right});
    const float row = std::max(t.px(24), t.line(Font::body) + t.px(3));
    float y = rect.y0 + t.line(Font::caption) + t.px(4);
    for (std::size_t rank = 0; rank < order.size() && y + row <= rect.y1 + 1; ++rank, y += row) {
        const std::size_t i = order[rank];
        const auto p = static_cast<double>(t.probability()[i]);
        const Rect at{rect.x0, y, rect.x1, y + row};
        const float middle = at.centre().y, dot = t.px(5);
        const float room = right(0) - at.x0;
        canvas.fill({at.x0, at.y0, at.x0 + room, at.y1 - t.px(2)}, t.palette().line.with_alpha(0.5F), t.px(3));
        canvas.fill({at.x0, at.y0, at.x0 + room * t.probability()[i], at.y1 - t.px(2)},
                    t.palette().accent.with_alpha(0.35F), t.px(3));
        if (rank < most_curves)
            canvas.fill({at.x0 + t.px(4), middle - dot, at.x0 + t.px(4) + 2 * dot, middle + dot},
                        color_of_curve(t.palette(), rank), t.px(2));
        const float top = middle - t.line(Font::body) / 2, x = at.x0 + t.px(20);
        text_line(t.scene, {x, top}, right(0) - x - t.px(4), t.words.texts[i]);
        const std::string numbers[] = {number_text(static_cast<double>(t.words.cosine[i])),
                                       number_text(static_cast<double>(logits[i])), probability_text(p)};
        for (int k = 0; k < 3; ++k)
            canvas.text({right(k + 1), top}, numbers[k], {Font::body, t.palette().text, Align::right});
        t.scene.ui.probe.mark("two_towers.text." + std::to_string(i), at, p, t.words.texts[i]);
    }
}

/// Draws the probabilities of the nearest texts at all temperatures.
void draw_probability_curves(const TowersScene& t, Rect rect) {
    const std::vector<std::size_t> order = by_cosine(t.words);
    const auto place = [&](int power) {
        return std::log10(1 / static_cast<double>(at_temperature(t.words.learned, power).scale));
    };
    text_line(t.scene, {rect.x0, rect.y0}, rect.width(), t.text()("two_towers.curves"), Font::caption,
              t.palette().muted);
    Plot plot(t.scene.canvas, t.scene.ui, {rect.x0, rect.y0 + t.line(Font::caption) + t.px(4), rect.x1, rect.y1},
              {place(coldest), place(hottest), t.text()("two_towers.axis")}, {0, 1, {}});
    std::vector<double> x;
    for (int power = coldest; power <= hottest; ++power) x.push_back(place(power));
    for (std::size_t rank = std::min(order.size(), most_curves); rank-- > 0;) {
        std::vector<double> y;
        for (const std::vector<float>& p : t.words.probability) y.push_back(static_cast<double>(p[order[rank]]));
        plot.line({x, y, color_of_curve(t.palette(), rank), t.words.texts[order[rank]], 2});
    }
    plot.marker(place(0), t.palette().muted, t.text()("two_towers.learned"));
    if (t.power != 0) plot.marker(place(t.power), t.palette().text, "");
    if (const Hit hit = hot_area(t.scene.ui, "two_towers.curves", plot.area(), {}, Reach::along_axis); hit.at)
        plot.readout(*hit.at);
}

void draw_temperature(const TowersScene& t, Rect rect, int& power) {
    ImGui::SetCursorScreenPos({rect.x0, rect.y0});
    begin_child({"two_towers.slider", rect.width(), rect.height(), false, false, ImGuiWindowFlags_NoScrollbar});
    auto at = static_cast<float>(power);
    const auto words = [&](float value) {
        const int whole = static_cast<int>(std::lround(value));
        return number_text(1 / static_cast<double>(at_temperature(t.words.learned, whole).scale)) +
               (whole == 0 ? " · " + t.text()("two_towers.learned") : "");
    };
    if (slider(
            t.scene.ui,
            {"two_towers.temperature", t.text()("two_towers.temperature"), t.text()("two_towers.temperature_tip"), {}},
            {coldest, hottest, 1, words}, at))
        power = static_cast<int>(std::lround(at));
    ImGui::EndChild();
}

/// One B × B matrix: rows are images, columns texts, and the pairs are on its diagonal.
struct PairsFigure {
    const char* id;
    const Tensor2& values;
    ColourScale scale;
};
void draw_pairs(const TowersScene& t, Rect rect, const PairsFigure& figure) {
    const WordsBatch& batch = *t.words.batch;
    const int count = static_cast<int>(batch.names.size());
    const std::string id = std::string("two_towers.") + figure.id;
    const std::string title = t.text()(id), range = number_text(static_cast<double>(figure.scale.low)) + " … " +
                                                    number_text(static_cast<double>(figure.scale.high));
    t.scene.canvas.text({rect.x1, rect.y0 - t.line(Font::caption) - t.px(3)},
                        t.scene.canvas.measure(title + "   " + range, Font::caption).x <= rect.width() ? range : "",
                        {Font::caption, t.palette().muted, Align::right});
    text_line(t.scene, {rect.x0, rect.y0 - t.line(Font::caption) - t.px(3)}, rect.width(), title, Font::caption);
    t.scene.canvas.heat_map(rect, {figure.values.data(), count, count, figure.scale});
    const GridSize grid{count, count};
    for (int i = 0; i < count; ++i)
        outline_cell(t.scene.canvas, t.scene.ui, cell_rect(rect, grid, {i, i}), t.palette().accent);
    const Hit hit = hot_area(t.scene.ui, id, rect, title, {count, count});
    const std::optional<GridCell> cell = hit.at ? cell_at(rect, grid, *hit.at) : std::nullopt;
    if (!cell) return;
    const auto i = static_cast<std::size_t>(cell->row), j = static_cast<std::size_t>(cell->column);
    const auto number = [&](const Tensor2& of) { return static_cast<double>(of(i, j)); };
    const std::vector<std::string> lines = {
        t.text()("two_towers.pair", {{"image", batch.names[i]}, {"text", batch.names[j]}}),
        "cos " + number_text(number(batch.cosine)), title + " " + number_text(number(figure.values))};
    readout(t.scene.ui, lines);
    t.scene.ui.probe.mark(id + ".value", rect, number(figure.values), lines.front());
}

/// Draws the images of the batch with their names, beside the matrices' rows.
void draw_batch_rows(const TowersScene& t, Rect rect) {
    const WordsBatch& batch = *t.words.batch;
    const float row = rect.height() / static_cast<float>(batch.names.size());
    for (std::size_t i = 0; i < batch.names.size(); ++i) {
        const float y = rect.y0 + row * static_cast<float>(i), side = row - t.px(2);
        const Image& seen = *batch.images[i];
        t.scene.canvas.picture(fit({rect.x0, y, rect.x0 + side, y + side},
                                   static_cast<float>(seen.width) / static_cast<float>(seen.height)),
                               {batch.images[i]});
        const float x = rect.x0 + row + t.px(5);
        text_line(t.scene, {x, y + (row - t.line(Font::caption)) / 2}, rect.x1 - x, batch.names[i], Font::caption);
    }
}

/// Draws the batch's logits, the probabilities computed from them, and the loss.
void draw_batch(const TowersScene& t, Rect rect) {
    const Contrast& contrast = t.words.contrast_at(t.power);
    const auto count = static_cast<double>(t.words.batch->names.size());
    const bool worse = !t.words.each_alone() && contrast.loss > std::log(count);
    const std::string told = t.text()(t.words.each_alone() ? "two_towers.loss.sigmoid"
                                      : worse              ? "two_towers.loss.worse"
                                                           : "two_towers.loss.softmax",
                                      {{"count", count_text(std::ssize(t.words.batch->names))},
                                       {"loss", number_text(contrast.loss)},
                                       {"guess", number_text(std::log(count))}});
    text_line(t.scene, {rect.x0, rect.y0}, rect.width(), t.text()("two_towers.batch"), Font::caption,
              t.palette().muted);
    const float below = t.line(Font::strong) + t.px(8), above = 2 * t.line(Font::caption) + t.px(8);
    const Rect line{rect.x0, rect.y1 - below + t.px(8), rect.x1, rect.y1};
    text_line(t.scene, {line.x0, line.y0}, line.width(), told, Font::strong, t.palette().accent);
    t.scene.ui.probe.mark("two_towers.loss", line, contrast.loss, told);

    const auto [least, most] = std::ranges::minmax(contrast.logits);
    std::vector<PairsFigure> figures = {{"logits", contrast.logits, {ColourMap::sequential, least, most}}};
    figures.push_back({t.words.each_alone() ? "sigmoid" : "by_image", contrast.by_image, {}});
    if (!t.words.each_alone()) figures.push_back({"by_text", contrast.by_text, {}});
    float names = 0;
    for (const std::string& name : t.words.batch->names)
        names = std::max(names, t.scene.canvas.measure(name, Font::caption).x);
    const float height = rect.height() - above - below, gap = t.px(24);
    const float beside = height / static_cast<float>(count) + t.px(14) + names;
    const auto number = static_cast<float>(figures.size());
    const float side = std::min(height, (rect.width() - beside - gap * (number - 1)) / number);
    if (side < t.px(24)) return;
    const float y = rect.y0 + above;
    draw_batch_rows(t, {rect.x0, y, rect.x0 + beside, y + side});
    const float pitch = std::max(side + gap, std::min((rect.width() - beside) / number, side * 1.6F));
    for (std::size_t k = 0; k < figures.size(); ++k) {
        const float x = rect.x0 + beside + pitch * static_cast<float>(k);
        draw_pairs(t, {x, y, x + side, y + side}, figures[k]);
    }
}

void say_none(const Scene& scene) {
    const WordsBeside& w = *scene.now.words;
    const std::string none = scene.ui.text("two_towers.none");
    const float height = text_block(scene, scene.area, none, Font::heading);
    scene.ui.probe.mark("two_towers.none", scene.area, 0, none);
    if (scene.now.model->provenance.path.empty()) return;
    const Rect& a = scene.area;
    text_block(scene, {a.x0, a.y0 + height + scene.ui.theme.px(64), a.x1, a.y1}, w.refused);  // below a button
}

}  // namespace

void two_towers_view(const Scene& scene, Selection& selection, WhatIfs&) {
    const WordsBeside& words = *scene.now.words;
    if (!words.tower) return say_none(scene);
    int& power = selection.focus.dials.temperature;
    const TowersScene t{scene, words, power};
    RectStack stack(scene.area, t.px(12));
    draw_towers(t, stack.next(std::max(t.px(46), t.line(Font::body) + t.line(Font::caption) + t.px(6))));
    const float slider_height = t.px(56), rest = stack.rest().height() - slider_height - 2 * t.px(12);
    const Rect upper = stack.next(rest * 0.42F);
    if (words.texts.empty())
        text_block(scene, columns(upper, 0, 0.56F), t.text()("lab.words.empty"));
    else
        draw_texts(t, columns(upper, 0, 0.56F));
    if (!words.texts.empty()) draw_probability_curves(t, columns(upper, 0.61F, 1));
    draw_temperature(t, stack.next(slider_height), power);
    draw_batch(t, stack.rest());
}

}  // namespace vitrine
