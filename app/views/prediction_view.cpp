#include <algorithm>
#include <cmath>

#include "app/inference_worker.h"
#include "app/probe.h"
#include "app/text.h"
#include "app/theme.h"
#include "app/views/views.h"
#include "app/widgets/bars.h"
#include "app/widgets/number.h"

namespace vitrine {

namespace {

constexpr int classes_shown = 5;

/// A vector as a strip, with its name above.
void draw_strip(const Scene& scene, Rect rect, std::span<const float> values, const std::string& words) {
    float reach = 0.0F;
    for (const float x : values) reach = std::max(reach, std::abs(x));
    if (reach == 0.0F) reach = 1.0F;
    const float line = scene.ui.theme.px(26);
    scene.canvas.text({rect.x0, rect.y0}, words, {Font::caption, scene.ui.theme.palette.muted, Align::left});
    scene.canvas.text({rect.x1, rect.y0}, "± " + number_text(reach),
                      {Font::caption, scene.ui.theme.palette.muted, Align::right});
    feature_strip(scene.canvas, scene.ui, {rect.x0, rect.y0 + line, rect.x1, rect.y1}, {values, reach, std::nullopt});
}

void draw_arrow(const Scene& scene, Point tip, const std::string& words) {
    const Theme& theme = scene.ui.theme;
    const float length = theme.px(26), head = theme.px(6);
    scene.canvas.line({tip.x, tip.y - length}, tip, theme.palette.muted, theme.px(2));
    const Point triangle[] = {{tip.x - head, tip.y - head}, {tip.x + head, tip.y - head}, {tip.x, tip.y + head * 0.4F}};
    scene.canvas.polygon(triangle, theme.palette.muted);
    scene.canvas.text({tip.x + theme.px(16), tip.y - length}, words, {Font::caption, theme.palette.muted, Align::left});
}

/// Probability and logit of the best classes, beside what they were without the what-ifs.
void draw_classes(const Scene& scene, Rect rect) {
    const std::vector<BarRow> rows = class_rows(scene.now, classes_shown);
    const BarList list{rows, 1.0, BarUnit::fraction, scene.ui.theme.palette.accent};
    bar_list(scene.canvas, scene.ui, rect, list);
    for (std::size_t i = 0; i < rows.size(); ++i)
        scene.ui.probe.mark("prediction.class." + std::to_string(i), bar_row_rect(scene.ui, rect, static_cast<int>(i)),
                            rows[i].value, rows[i].label);
}

}  // namespace

void prediction_view(const Scene& scene, Selection&, WhatIfs&) {
    const Theme& theme = scene.ui.theme;
    const Text& text = scene.ui.text;
    const Rect& a = scene.area;
    const Trace& trace = scene.now.trace;
    const Tensor2& last = trace.z(scene.now.model->config.blocks);
    // Three vectors above the classes share the height that the classes leave.
    const float arrow = theme.px(44);
    const float classes = bar_row_rect(scene.ui, a, classes_shown - 1).y1 - a.y0;
    const float strip = std::clamp((a.height() - classes) / 3 - arrow, theme.px(44), theme.px(76));
    float y = a.y0;
    const auto next = [&] {
        const Rect rect{a.x0, y, a.x1, y + strip};
        y += strip + arrow;
        return rect;
    };
    draw_strip(scene, next(), {&last(0, 0), last.shape()[1]}, text("prediction.class_token"));
    draw_arrow(scene, {a.centre().x, y - theme.px(10)}, text("prediction.norm"));
    draw_strip(scene, next(), {&trace.head->ln(0, 0), trace.head->ln.shape()[1]}, text("prediction.normalised"));
    const Rect rest{a.x0, y, a.x1, a.y1};
    if (scene.now.model->config.classes == 0) {
        scene.canvas.text(rest.centre(), text("prediction.none"), {Font::heading, theme.palette.muted, Align::centre});
        scene.ui.probe.mark("prediction.none", rest, 0, text("prediction.none"));
        return;
    }
    draw_arrow(scene, {a.centre().x, y - theme.px(10)}, text("prediction.linear"));
    const Tensor2& logits = trace.head->logits;
    draw_strip(scene, next(), {logits.data(), logits.size()},
               text("prediction.logits", {{"count", count_text(static_cast<std::int64_t>(logits.size()))}}));
    draw_arrow(scene, {a.centre().x, y - theme.px(10)}, text("prediction.softmax"));
    draw_classes(scene, {a.x0, y, a.x1, a.y1});
}

}  // namespace vitrine
