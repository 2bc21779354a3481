#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

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
        case Wiring::no_norm: return p.mlp;
        case Wiring::no_skips: return p.key;
        case Wiring::neither: return p.danger;
    }
    return p.text;
}

std::string wiring_words(const Ui& ui, Wiring wiring) {
    return ui.text(std::string("gradients.wiring.") + name_in(wiring_names, wiring));
}

/// The wiring's own mark on its line, so that lines can be distinguished without colours.
void draw_mark(const Scene& scene, Wiring wiring, Point at, Color color) {
    const float r = scene.ui.theme.px(4), line = scene.ui.theme.px(2);
    Canvas& canvas = scene.canvas;
    switch (wiring) {
        case Wiring::pre_norm: return canvas.circle(at, r, color);
        case Wiring::post_norm: return canvas.ring(at, r, color, line);
        case Wiring::no_norm: return canvas.fill({at.x - r, at.y - r, at.x + r, at.y + r}, color);
        case Wiring::no_skips: {
            const Point corners[] = {{at.x, at.y - 1.3F * r}, {at.x + 1.2F * r, at.y + r}, {at.x - 1.2F * r, at.y + r}};
            return canvas.polygon(corners, color);
        }
        case Wiring::neither:
            canvas.line({at.x - r, at.y - r}, {at.x + r, at.y + r}, color, line);
            return canvas.line({at.x - r, at.y + r}, {at.x + r, at.y - r}, color, line);
    }
}

/// The right end of a line, and its name, which may be higher or lower; a stroke connects both.
struct LineEnd {
    Wiring wiring;
    Point end;
    float y;  // middle of the name
};

/// Moves the lines' names apart, so that they do not overlap, between `top` and `low`; returns them from the top down.
std::vector<LineEnd> ends_apart(std::vector<LineEnd> ends, float line, float top, float low) {
    std::ranges::sort(ends, {}, &LineEnd::y);
    for (std::size_t i = 0; i < ends.size(); ++i)
        ends[i].y = std::max(ends[i].y, i == 0 ? top + line / 2 : ends[i - 1].y + line);
    float most = low - line / 2;
    for (auto end = ends.rbegin(); end != ends.rend(); ++end, most -= line) end->y = std::min(end->y, most);
    return ends;
}

/// Draws a button for each wiring, with its gradient norms below, one below the other.
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

/// Draws the value at ℓ = 0 of a line that leaves the plot at the bottom, beside that place.
void draw_value_below(const Scene& scene, const Plot& plot, const GradientFlow& flow, Color color) {
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
    float side = theme.px(200);  // or the width of the longest name, if larger
    for (const auto& [wiring, name] : wiring_names)
        side = std::max(side, scene.canvas.measure(wiring_words(ui, wiring), Font::strong).x + theme.px(48));
    const float gap = theme.px(24);
    const float line = scene.canvas.measure("", Font::caption).y + theme.px(4), lead = theme.px(34);
    float names = 0;  // width of the names beside the lines' ends
    for (const auto& [wiring, name] : wiring_names)
        names = std::max(names, scene.canvas.measure(wiring_words(ui, wiring), Font::caption).x);
    const bool named = a.width() - side - gap - lead - names >= theme.px(260);  // else only the buttons have names
    const float beside = named ? lead + names : 0;
    const auto depth = static_cast<double>(flows.front().norms.size() - 1);
    const std::string blocks = std::to_string(flows.front().norms.size() - 1);
    const std::string title = ui.text("gradients.title", {{"depth", blocks}});
    text_line(scene, {a.x0, a.y0}, a.width() - side - gap, title, Font::caption, theme.palette.muted);
    Plot plot(scene.canvas, ui, {a.x0, a.y0 + line, a.x1 - side - gap - beside, a.y1},
              {0, depth, ui.text("gradients.depth"), true}, {lowest, highest, "log₁₀"});
    // Gradients run backwards: the lines grow from the last block to the first.
    const double from = depth * (1 - static_cast<double>(phase(scene.time, 0, 1)));
    std::vector<LineEnd> ends;
    for (const GradientFlow& flow : flows) {
        const bool chosen = selection.focus.dials.wiring == flow.wiring;
        std::vector<double> x, y;
        for (std::size_t l = 0; l < flow.norms.size(); ++l) {
            if (static_cast<double>(l) < from) continue;
            x.push_back(static_cast<double>(l));
            y.push_back(flow.norms[l] > 0 ? std::log10(flow.norms[l]) : no_number);
        }
        const Color color = color_of(theme, flow.wiring);
        plot.line({x, y, chosen ? color : color.with_alpha(faint_curve), wiring_words(ui, flow.wiring),
                   chosen ? 4.0F : 2.0F});
        for (std::size_t i = 0; i < x.size(); ++i)
            if (y[i] >= lowest && y[i] <= highest)
                draw_mark(scene, flow.wiring, {plot.x_of(x[i]), plot.y_of(y[i])}, color);
        draw_value_below(scene, plot, flow, color);
        const Point end{plot.x_of(depth), plot.y_of(std::clamp(std::log10(flow.norms.back()), lowest, highest))};
        if (named && !x.empty()) ends.push_back({flow.wiring, end, end.y});
    }
    for (const LineEnd& at : ends_apart(std::move(ends), line, plot.area().y0 - line / 2, plot.area().y1)) {
        const Color color = color_of(theme, at.wiring);
        const std::string words = wiring_words(ui, at.wiring);
        const float left = a.x1 - side - gap - names, top = at.y - line / 2 + theme.px(2);
        scene.canvas.line({at.end.x + theme.px(6), at.end.y}, {left - theme.px(6), at.y},
                          color.with_alpha(faint_curve));
        scene.canvas.text({left, top}, words, {Font::caption, color, Align::left});
        ui.probe.mark(std::string("gradients.end.") + name_in(wiring_names, at.wiring),
                      {left, top, left + scene.canvas.measure(words, Font::caption).x, top + line}, 0, words);
    }
    if (const Hit hit = hot_area(ui, "gradients.plot", plot.area(), title, Reach::along_axis); hit.at)
        plot.readout(*hit.at);
    text_line(scene, {a.x1 - side, a.y0}, side, ui.text("gradients.ends", {{"depth", blocks}}), Font::caption,
              theme.palette.muted);
    draw_branch_choices(scene, {a.x1 - side, a.y0 + line + theme.px(4), a.x1, a.y1}, selection);
}

}  // namespace vitrine
