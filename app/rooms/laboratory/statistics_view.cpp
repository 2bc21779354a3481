#include <algorithm>
#include <cmath>

#include "app/rooms/figures/figures.h"
#include "app/rooms/laboratory/laboratory.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/hot_area.h"
#include "app/ui/widgets/number.h"
#include "app/ui/widgets/plot.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "core/measures/head_statistics.h"

namespace vitrine {

namespace {

/// A statistic with its values in this run.
struct Measure {
    const HeadStatistic& row;
    const Tensor2& values;  // (L, h)
    double most;            // its theoretical maximum

    std::string words(const char* end = "") const { return std::string("statistic.") + row.name + end; }
};

Measure measure_of(const LabScene& lab, const HeadStatistic& row) {
    return {row, lab.measured.statistics->of(row.name), row.most(lab.scene.now.model->config)};
}

float value_at(const Measure& m, int block, int head) {
    return m.values(static_cast<std::size_t>(block - 1), static_cast<std::size_t>(head));
}

struct Dot {
    int block, head;
    Point at;
};

/// Dots for the heads of a block, spread around its tick so that equal values stay visible.
std::vector<Dot> dots_of(const Plot& plot, const Measure& m, const Config& c) {
    const float spread = 0.5F * (plot.x_of(2) - plot.x_of(1));
    std::vector<Dot> dots;
    for (int block = 1; block <= c.blocks; ++block)
        for (int head = 0; head < c.heads; ++head) {
            const float place = c.heads > 1 ? static_cast<float>(head) / static_cast<float>(c.heads - 1) - 0.5F : 0;
            dots.push_back(
                {block,
                 head,
                 {plot.x_of(block) + spread * place, plot.y_of(static_cast<double>(value_at(m, block, head)))}});
        }
    return dots;
}

void tell_dot(const LabScene& lab, const Measure& m, const Dot& dot) {
    readout(lab.scene.ui,
            std::vector<std::string>{head_name(lab.scene.ui, dot.block, dot.head),
                                     lab.scene.ui.text(m.words()) + ": " +
                                         number_text(static_cast<double>(value_at(m, dot.block, dot.head)))});
}

/// A dot for every head above its block's tick, and a line through the blocks' means.
void draw_plot(const LabScene& lab, Rect rect, const Measure& m, Selection& selection) {
    const Scene& scene = lab.scene;
    const Theme& theme = scene.ui.theme;
    const Config& c = scene.now.model->config;
    float own = 0;
    for (const float v : m.values) own = std::max(own, v);
    const auto high = static_cast<double>(selection.reach("statistics", own));
    const std::string name = scene.ui.text(m.words("_axis"));
    text_line(scene, {rect.x0, rect.y0}, rect.width(), name, Font::caption, theme.palette.muted);
    const float line = scene.canvas.measure("", Font::caption).y + theme.px(4);
    Plot plot(scene.canvas, scene.ui, {rect.x0, rect.y0 + line, rect.x1, rect.y1},
              {0.5, c.blocks + 0.5, scene.ui.text("lab.block_axis"), true}, {0, std::min(m.most, high * 1.12), {}});
    std::vector<double> blocks, means;
    for (int block = 1; block <= c.blocks; ++block) {
        double sum = 0;
        for (int head = 0; head < c.heads; ++head) sum += static_cast<double>(value_at(m, block, head));
        blocks.push_back(block);
        means.push_back(sum / c.heads);
    }
    plot.line({blocks, means, theme.palette.residual, scene.ui.text("statistic.mean"), 2});

    const std::vector<Dot> dots = dots_of(plot, m, c);
    const Hit hit = hot_area(scene.ui, "statistics.plot", plot.area(), name, {1, c.blocks});
    const Dot* nearest = nullptr;
    const auto away = [&](const Dot& d) { return std::hypot(d.at.x - hit.at->x, d.at.y - hit.at->y); };
    for (const Dot& dot : dots)
        if (hit.at && (nearest == nullptr || away(dot) < away(*nearest))) nearest = &dot;
    const float radius = theme.px(5);
    for (const Dot& dot : dots) {
        const bool chosen = dot.block == selection.focus.block && dot.head == selection.focus.head;
        const bool picked = selection.focus.lab.picked(dot.block, dot.head);
        scene.canvas.circle(dot.at, chosen ? 1.5F * radius : radius,
                            picked   ? theme.palette.key
                            : chosen ? theme.palette.accent
                                     : theme.palette.query.with_alpha(faint_curve));
        if (chosen) scene.canvas.ring(dot.at, 2.2F * radius, theme.palette.text, theme.px(2));
        scene.ui.probe.mark("statistics.dot." + std::to_string(dot.block) + "." + std::to_string(dot.head),
                            {dot.at.x - radius, dot.at.y - radius, dot.at.x + radius, dot.at.y + radius},
                            static_cast<double>(value_at(m, dot.block, dot.head)));
    }
    if (nearest == nullptr) return;
    scene.canvas.ring(nearest->at, 2 * radius, theme.palette.accent, theme.px(2));
    tell_dot(lab, m, *nearest);
    if (hit.clicked) selection.focus.block = nearest->block, selection.focus.head = nearest->head;
}

/// All statistics of the chosen head, each with its rank among all heads.
void draw_statistics(const LabScene& lab, Rect rect, Selection& selection) {
    const Scene& scene = lab.scene;
    const Ui& ui = scene.ui;
    const Theme& theme = ui.theme;
    Focus& focus = selection.focus;
    RectStack stack(rect, theme.px(6));
    text_line(scene, {rect.x0, stack.next(theme.px(30)).y0}, rect.width(), head_name(ui, focus.block, focus.head),
              Font::heading);
    for (const HeadStatistic& statistic : head_statistics_table()) {
        if (!says_something(statistic, lab.scene.now.model->config)) continue;
        const Measure m = measure_of(lab, statistic);
        const float own = value_at(m, focus.block, focus.head);
        const auto below = std::count_if(m.values.begin(), m.values.end(), [&](float v) { return v < own; });
        const Rect row = stack.next(theme.px(52));
        const bool shown = focus.lab.statistic == statistic.name;
        const std::string id = std::string("statistics.row.") + statistic.name;
        const Hit hit = hot_area(ui, id, row, ui.text(m.words()));
        tooltip(ui, ui.text(m.words("_tip")));
        if (hit.clicked) focus.lab.statistic = statistic.name;
        if (shown || hit.at) scene.canvas.fill(row, theme.palette.raised, theme.px(6));
        if (shown) scene.canvas.fill({row.x0, row.y0, row.x0 + theme.px(4), row.y1}, theme.palette.accent, theme.px(2));
        const std::string number = number_text(static_cast<double>(own));
        const float width = scene.canvas.measure(number, Font::mono).x;
        text_line(scene, {row.x0 + theme.px(12), row.y0 + theme.px(3)}, row.width() - width - theme.px(28),
                  ui.text(m.words()), Font::body);
        scene.canvas.text({row.x1 - theme.px(8), row.y0 + theme.px(4)}, number,
                          {Font::mono, theme.palette.text, Align::right});
        const auto heads = std::ssize(m.values);
        const std::string place = ui.text(below == 0           ? "statistic.place_lowest"
                                          : below + 1 == heads ? "statistic.place_highest"
                                                               : "statistic.place",
                                          {{"place", std::to_string(below + 1)}, {"count", std::to_string(heads)}});
        text_line(scene, {row.x0 + theme.px(12), row.y0 + theme.px(27)}, row.width() - theme.px(20), place,
                  Font::caption, theme.palette.muted);
        ui.probe.mark(id + ".place", row, static_cast<double>(below + 1), place);
        ui.probe.mark(id + ".value", row, static_cast<double>(own), number);
    }
    const std::vector<float> weights = token_weights(lab, focus.block, focus.head, focus.token);
    const Rect rest = stack.rest();
    const float line = scene.canvas.measure("", Font::caption).y + theme.px(4);
    const Rect figure = fit({rest.x0 + leading_room(lab.scene), rest.y0 + line, rest.x1, rest.y1}, grid_aspect(lab));
    if (figure.height() < theme.px(80)) return;
    text_line(scene, {figure.x0, figure.y0 - line}, rest.x1 - figure.x0,
              ui.text("compare.of_query", {{"token", short_token_name(ui, lab.scene.now, focus.token)}}), Font::caption,
              theme.palette.muted);
    patch_map(lab, figure, {"statistics.map", weights, weight_scale(lab, focus, focus.block, focus.head), true, "a"},
              selection);
}

}  // namespace

void statistics_view(const LabScene& lab, Selection& selection) {
    if (!lab.measured.statistics) return report_missing(lab);
    const Rect& a = lab.scene.area;
    const HeadStatistic* chosen = head_statistic_named(selection.focus.lab.statistic);
    if (!says_something(*chosen, lab.scene.now.model->config)) chosen = &head_statistics_table().front();
    draw_plot(lab, columns(a, 0, 0.58F), measure_of(lab, *chosen), selection);
    draw_statistics(lab, columns(a, 0.62F, 1), selection);
}

}  // namespace vitrine
