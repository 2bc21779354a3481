#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/rooms/explore/views/views.h"
#include "app/rooms/figures/figures.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/hot_area.h"
#include "app/ui/widgets/number.h"
#include "app/ui/widgets/plot.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "core/training/gradient_flow.h"

namespace vitrine {

namespace {

constexpr double lowest = -16, highest = 3;  // of log₁₀‖∂loss/∂z‖; a line with smaller values leaves the plot

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

Color color_of(const Theme& theme, Wiring wiring) {
    const Palette& p = theme.palette;
    switch (wiring) {
        case Wiring::pre_norm: return p.query;
        case Wiring::post_norm: return p.norm;
        case Wiring::no_norm: return p.value;
        case Wiring::no_skips: return p.key;
        case Wiring::neither: return p.danger;
    }
    return p.text;
}

std::string wiring_words(const Ui& ui, Wiring wiring) {
    return ui.text(std::string("gradients.wiring.") + name_in(wiring_names, wiring));
}

/// Buttons for the wirings, stacked.
void draw_branch_choices(const Scene& scene, Rect rect, Selection& selection) {
    const Theme& theme = scene.ui.theme;
    float y = rect.y0;
    for (const GradientFlow& flow : *scene.now.gradient_flows) {
        const std::string name = name_in(wiring_names, flow.wiring);
        ImGui::SetCursorScreenPos({rect.x0, y});
        const ChipState state{color_of(theme, flow.wiring), selection.focus.dials.wiring == flow.wiring, false, false,
                              rect.width()};
        if (chip(scene.ui,
                 {"gradients.wiring." + name,
                  wiring_words(scene.ui, flow.wiring),
                  scene.ui.text("gradients.wiring_tip"),
                  {}},
                 state) == ChipClick::chosen)
            selection.focus.dials.wiring = flow.wiring;
        y += theme.px(34);
        const std::string words = number_text(flow.norms.back()) + " → " + number_text(flow.norms.front());
        scene.canvas.text({rect.x1, y - theme.px(2)}, words, {Font::mono, theme.palette.muted, Align::right});
        scene.ui.probe.mark("gradients.norms." + name, {rect.x0, y, rect.x1, y + theme.px(22)}, flow.norms.front(),
                            words);
        y += theme.px(30);
    }
}

/// Beside the place where a line leaves the plot on its way down: its value at ℓ = 0.
void draw_way_out(const Scene& scene, const Plot& plot, const GradientFlow& flow, Color color) {
    const double floor = std::pow(10.0, lowest);
    std::size_t inside = flow.norms.size();  // the lowest level whose value is shown
    while (inside > 0 && flow.norms[inside - 1] >= floor) --inside;
    if (inside == 0 || inside == flow.norms.size()) return;
    const double above = std::log10(flow.norms[inside]),
                 below = flow.norms[inside - 1] > 0 ? std::log10(flow.norms[inside - 1]) : lowest - 1;
    const double crossing = static_cast<double>(inside) - (above - lowest) / (above - below);
    const std::string words =
        scene.ui.text("gradients.beyond", {{"value", number_text(std::log10(flow.norms.front()))}});
    const Point size = scene.canvas.measure(words, Font::caption);
    const float x = plot.x_of(crossing) + scene.ui.theme.px(32),  // the line rises to the right
        y = plot.area().y1 - size.y - scene.ui.theme.px(4);
    scene.canvas.text({x, y}, words, {Font::caption, color, Align::left});
    scene.ui.probe.mark(std::string("gradients.beyond.") + name_in(wiring_names, flow.wiring),
                        {x, y, x + size.x, y + size.y}, crossing, words);
}

}  // namespace

void gradients_view(const Scene& scene, Selection& selection, WhatIfs&) {
    const Rect& a = scene.area;
    const Ui& ui = scene.ui;
    const Theme& theme = ui.theme;
    const std::vector<GradientFlow>& flows = *scene.now.gradient_flows;
    float side = theme.px(200);  // at least; else the width of the longest name
    for (const auto& [wiring, name] : wiring_names)
        side = std::max(side, scene.canvas.measure(wiring_words(ui, wiring), Font::strong).x + theme.px(48));
    const float gap = theme.px(24);
    const float line = scene.canvas.measure("", Font::caption).y + theme.px(4);
    text_line(scene, {a.x0, a.y0}, a.width() - side - gap, ui.text("gradients.title"), Font::caption,
              theme.palette.muted);
    const auto depth = static_cast<double>(flows.front().norms.size() - 1);
    Plot plot(scene.canvas, ui, {a.x0, a.y0 + line, a.x1 - side - gap, a.y1}, {0, depth, ui.text("gradients.depth")},
              {lowest, highest, "log₁₀"});
    // Gradients run backwards: the lines grow from the last block to the first.
    const double from = depth * (1 - static_cast<double>(phase(scene.time, 0, 1)));
    for (const GradientFlow& flow : flows) {
        const bool chosen = selection.focus.dials.wiring == flow.wiring;
        std::vector<double> x, y;
        for (std::size_t l = 0; l < flow.norms.size(); ++l) {
            if (static_cast<double>(l) < from) continue;
            x.push_back(static_cast<double>(l));
            y.push_back(flow.norms[l] > 0 ? std::log10(flow.norms[l]) : no_number);
        }
        const Color color = color_of(theme, flow.wiring);
        plot.line(
            {x, y, chosen ? color : color.with_alpha(0.55F), wiring_words(ui, flow.wiring), chosen ? 4.0F : 2.0F});
        draw_way_out(scene, plot, flow, color);
    }
    if (const Hit hit = hot_area(ui, "gradients.plot", plot.area(), ui.text("gradients.title"), Reach::along_axis);
        hit.at)
        plot.readout(*hit.at);
    text_line(scene, {a.x1 - side, a.y0}, side,
              ui.text("gradients.ends", {{"depth", std::to_string(std::lround(depth))}}), Font::caption,
              theme.palette.muted);
    draw_branch_choices(scene, {a.x1 - side, a.y0 + line + theme.px(4), a.x1, a.y1}, selection);
}

}  // namespace vitrine
