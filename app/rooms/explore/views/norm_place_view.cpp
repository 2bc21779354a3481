#include <imgui.h>

#include <algorithm>
#include <numeric>

#include "app/chapters/step.h"
#include "app/rooms/explore/views/views.h"
#include "app/rooms/figures/figures.h"
#include "app/rooms/panels/panels.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/hot_area.h"
#include "app/ui/widgets/plot.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "core/vit/experiment.h"

namespace vitrine {

namespace {

/// Draws a table that compares the original Transformer with the ViT; texts and code of courses confuse the two.
void draw_table(const Scene& scene, Rect rect) {
    const Text& text = scene.ui.text;
    const Theme& theme = scene.ui.theme;
    constexpr int rows = 7;
    const float height = rect.height() / rows;
    static constexpr const char* names[rows] = {"head", "norm", "last", "tokens", "order", "activation", "parts"};
    for (int i = 0; i < rows; ++i) {
        const float y = rect.y0 + height * static_cast<float>(i);
        const std::string key = std::string("kinds.") + names[i];
        const Color color = i == 0 ? theme.palette.muted : theme.palette.text;
        const Rect line{rect.x0, y, rect.x1, y + height};
        if (i == 1 || i == 2) scene.canvas.fill(line, theme.palette.raised, theme.px(4));
        const auto cell = [&](float from, float to, const std::string& words, Color ink) {
            const Rect c = columns(line, from, to);
            text_line(scene, {c.x0 + theme.px(8), y + (height - scene.canvas.measure("", Font::caption).y) / 2},
                      c.width() - theme.px(12), words, Font::caption, ink);
        };
        if (i > 0) cell(0, 0.2F, text(key), theme.palette.muted);
        cell(0.2F, 0.62F, text(key + ".original"), color);
        cell(0.62F, 1, text(key + ".vit"), i == 1 || i == 2 ? theme.palette.norm : color);
        scene.canvas.line({rect.x0, y + height}, {rect.x1, y + height}, theme.palette.line, theme.px(1));
    }
    scene.ui.probe.mark("kinds", rect, rows - 1);
}

/// The mean length of the tokens after each block, ℓ = 0 … L.
std::vector<double> mean_lengths(const PictureMeasures& measures) {
    std::vector<double> means;
    for (const auto& level : measures.stream)
        means.push_back(std::accumulate(level->norms.begin(), level->norms.end(), 0.0) /
                        static_cast<double>(level->norms.size()));
    return means;
}

/// Draws the tokens' mean lengths by block in this run, and without its what-ifs.
void draw_lengths(const Scene& scene, Rect rect, Selection& selection) {
    const Theme& theme = scene.ui.theme;
    const Text& text = scene.ui.text;
    const float line = scene.canvas.measure("", Font::caption).y + theme.px(4);
    text_line(scene, {rect.x0, rect.y0}, rect.width(), text("norm_place.lengths"), Font::caption, theme.palette.muted);
    const std::vector<double> now = mean_lengths(scene.now.measures),
                              before = mean_lengths(scene.now.baseline_measures);
    std::vector<double> level(now.size());
    std::iota(level.begin(), level.end(), 0.0);
    const double high =
        std::max(*std::max_element(now.begin(), now.end()), *std::max_element(before.begin(), before.end()));
    const double low =
        std::min(*std::min_element(now.begin(), now.end()), *std::min_element(before.begin(), before.end()));
    constexpr double far = 1e3;  // a linear axis would show only the largest lengths
    const bool powers = low > 0 && high > far * low;
    scene.ui.probe.mark("norm_place.powers", rect, powers ? 1 : 0);
    Plot plot(scene.canvas, scene.ui, {rect.x0, rect.y0 + line, rect.x1, rect.y1},
              {0, level.back(), text("norm_place.axis"), true},
              powers ? PlotAxis{low / 1.5, high * 1.5, {}, false, true} : PlotAxis{0, high * 1.05, {}});
    const bool changed = !scene.now.experiment.what_ifs.empty();
    if (changed) plot.line({level, before, theme.palette.muted, text("norm_place.before"), 2});
    plot.line({level, now, theme.palette.norm, text("norm_place.now"), 2});
    if (changed) {
        const Rect title{rect.x0, rect.y0, rect.x1, rect.y0 + line};
        legend(scene.canvas, scene.ui, title, plot.entries(), "norm_place.legend");
    }
    plot.marker(selection.focus.block, theme.palette.query, std::to_string(selection.focus.block));
    const Hit hit = hot_area(scene.ui, "norm_place.plot", plot.area(), {}, Reach::along_axis);
    if (hit.at) plot.readout(*hit.at);
    scene.ui.probe.mark("norm_place.length", plot.area(), now[static_cast<std::size_t>(selection.focus.block)]);
}

}  // namespace

void norm_place_view(const Scene& scene, Selection& selection, WhatIfs& what_ifs) {
    const Rect& a = scene.area;
    const Theme& theme = scene.ui.theme;
    const float table = std::min(a.height() * 0.5F, theme.px(250)), choice = theme.px(44);
    draw_table(scene, {a.x0, a.y0, a.x1, a.y0 + table});
    // The chapter's last switch, above the curve that it changes: moves the norm of every block to its other place.
    const Intervention other = step_at(selection.focus).switches(scene.now, selection.focus).back();
    bool on = contains(what_ifs, other);
    ImGui::SetCursorScreenPos({a.x0, a.y0 + table + theme.px(8)});
    if (vitrine::toggle(scene.ui,
                        {"norm_place.other",
                         intervention_name(scene.ui, scene.now.model->config, other),
                         scene.ui.text("norm_place.other_tip"),
                         {}},
                        on))
        toggle(what_ifs, other);
    draw_lengths(scene, {a.x0, a.y0 + table + choice + theme.px(8), a.x1, a.y1}, selection);
}

}  // namespace vitrine
