#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/imgui_compat.h"
#include "app/inference_worker.h"
#include "app/probe.h"
#include "app/text.h"
#include "app/theme.h"
#include "app/views/computation.h"
#include "app/views/figures.h"
#include "app/widgets/controls.h"
#include "app/widgets/hot_area.h"
#include "app/widgets/number.h"
#include "app/widgets/plot.h"
#include "core/activation_study.h"

namespace vitrine {

namespace {

constexpr double low = -4, high = 4;
constexpr double minimum_at = -0.7518;  // where GELU is least; the syllabus and a test give it
constexpr int points = 161, bins = 64;

struct Curve {
    Activation activation;
    Color color;
};

std::array<Curve, 3> curves_of(const Scene& scene) {
    const Palette& p = scene.ui.theme.palette;
    return {{{Activation::relu, p.key}, {Activation::elu, p.value}, {Activation::gelu, p.mlp}}};
}

std::vector<double> axis() {
    std::vector<double> x;
    for (int i = 0; i < points; ++i) x.push_back(low + (high - low) * i / (points - 1));
    return x;
}

double value_at(Activation activation, double x, bool slope) {
    const auto at = static_cast<float>(x);
    return static_cast<double>(slope ? activation_slope(activation, at) : activate(activation, at));
}

/// This image's pre-activations of the chosen block: one token's, or all.
std::span<const float> own_values(const Scene& scene, const Selection& selection) {
    const Tensor2& hidden = block_of(scene, selection).mlp.hidden;
    if (selection.focus.all_tokens) return {hidden.data(), hidden.size()};
    return row_of(hidden, selection.token_in_view());
}

/// The pre-activation that the point stands for.
double point_of(const Scene& scene, const Selection& selection) {
    return static_cast<double>(row_of(block_of(scene, selection).mlp.hidden,
                                      selection.token_in_view())[static_cast<std::size_t>(selection.unit_in_view())]);
}

void draw_curves(const Scene& scene, Rect rect, Selection& selection) {
    const Theme& theme = scene.ui.theme;
    const Text& text = scene.ui.text;
    const bool slope = selection.focus.slopes;
    const std::vector<double> x = axis();
    Plot plot(scene.canvas, scene.ui, rect, {low, high, {}},
              {slope ? -0.3 : -1.2, slope ? 1.3 : 4, text(slope ? "activation.slopes" : "activation.curves")});
    const auto at = static_cast<float>(point_of(scene, selection));
    for (const Curve& curve : curves_of(scene)) {
        std::vector<double> y;
        for (const double v : x) y.push_back(value_at(curve.activation, v, slope));
        plot.line({x, y, curve.color, activation_words(curve.activation),
                   curve.activation == Activation::gelu ? 3.0F : 2.0F});
        if (at > low && at < high) {
            const double value = value_at(curve.activation, static_cast<double>(at), slope);
            const Point p{plot.x_of(static_cast<double>(at)), plot.y_of(value)};
            scene.canvas.circle(p, theme.px(6), curve.color);
            scene.canvas.ring(p, theme.px(6), theme.palette.panel, theme.px(2));
            scene.ui.probe.mark("activation.point." + activation_words(curve.activation),
                                {p.x - 4, p.y - 4, p.x + 4, p.y + 4}, value);
        }
    }
    if (!slope) {
        const Point minimum{plot.x_of(minimum_at), plot.y_of(value_at(Activation::gelu, minimum_at, false))};
        scene.canvas.ring(minimum, theme.px(5), theme.palette.text, theme.px(1));
        const double value = value_at(Activation::gelu, minimum_at, false);
        scene.canvas.text({plot.x_of(0.2), plot.y_of(-0.25)},
                          text("activation.minimum", {{"value", number_text(value)}, {"at", number_text(minimum_at)}}),
                          {Font::caption, theme.palette.muted, Align::left});
    }
    // Names in the order of the curves' right ends, as a legend.
    float legend = plot.area().x0 + theme.px(14);
    for (const Curve& curve : curves_of(scene)) {
        const std::string name = activation_words(curve.activation);
        scene.canvas.fill({legend, plot.area().y0 + theme.px(9), legend + theme.px(18), plot.area().y0 + theme.px(13)},
                          curve.color);
        scene.canvas.text({legend + theme.px(24), plot.area().y0}, name,
                          {Font::caption, theme.palette.text, Align::left});
        legend += theme.px(40) + scene.canvas.measure(name, Font::caption).x;
    }
    const Hit hit = hot_area(scene.ui, "activation.plot", plot.area(), {}, Reach::along_axis);
    if (hit.at) plot.readout(*hit.at);
}

void draw_histogram(const Scene& scene, Rect rect, Selection& selection) {
    const Text& text = scene.ui.text;
    const std::span<const float> values = own_values(scene, selection);
    const Histogram h = histogram(values, bins, low, high);
    const double most = std::max(1.0, *std::max_element(h.heights.begin(), h.heights.end()));
    const auto below = std::count_if(values.begin(), values.end(), [](float v) { return v < 0; });
    const double share = static_cast<double>(below) / static_cast<double>(values.size());
    const std::string told =
        text("activation.histogram", {{"block", std::to_string(selection.focus.block)},
                                      {"share", percent_text(share)},
                                      {"count", count_text(static_cast<std::int64_t>(values.size()))}});
    const float line = scene.canvas.measure("", Font::caption).y + scene.ui.theme.px(2);
    text_line(scene, {rect.x0, rect.y0}, rect.width(), told, Font::caption);
    scene.ui.probe.mark("activation.below", {rect.x0, rect.y0, rect.x1, rect.y0 + line}, share, told);
    Plot plot(scene.canvas, scene.ui, {rect.x0, rect.y0 + line, rect.x1, rect.y1}, {low, high, text("activation.axis")},
              {0, most, {}});
    plot.bars({h.edges, h.heights, scene.ui.theme.palette.mlp, {}});
    plot.marker(0, scene.ui.theme.palette.muted, "0");
    if (const double x = point_of(scene, selection); x > low && x < high)
        plot.marker(x, scene.ui.theme.palette.query, "x");
    hot_area(scene.ui, "activation.histogram", plot.area());
}

/// Φ(x) and the mean of random gates; the motion lets ReLU's hard gate go over into Φ.
void draw_gate(const Scene& scene, Rect rect, const Selection& selection) {
    const Theme& theme = scene.ui.theme;
    const Text& text = scene.ui.text;
    const Dials& dials = selection.focus.dials;
    const float line = scene.canvas.measure("", Font::caption).y + theme.px(2);
    text_line(scene, {rect.x0, rect.y0}, rect.width(), text("activation.gate", {{"count", count_text(dials.samples)}}),
              Font::caption);
    Plot plot(scene.canvas, scene.ui, {rect.x0, rect.y0 + line, rect.x1, rect.y1}, {low, high, {}}, {0, 1.05, {}});
    const std::vector<double> x = axis();
    std::vector<double> gate;
    const double smooth = static_cast<double>(phase(scene.time, 0, 1));
    for (const double v : x) gate.push_back((v >= 0 ? 1.0 : 0.0) * (1 - smooth) + normal_cdf(v) * smooth);
    plot.line({x, gate, theme.palette.mlp, "Φ(x)", 2});
    double worst = 0;
    constexpr int dots = 41;
    for (int i = 0; i < dots; ++i) {
        const double v = low + (high - low) * i / (dots - 1);
        const double sampled = sampled_gate(v, dials.samples, static_cast<std::uint64_t>(dials.seed));
        worst = std::max(worst, std::abs(sampled - normal_cdf(v)));
        scene.canvas.circle({plot.x_of(v), plot.y_of(sampled)}, theme.px(3), theme.palette.key);
    }
    const std::string told = text("activation.deviation", {{"deviation", number_text(worst)}});
    scene.canvas.text({plot.area().x0 + theme.px(10), plot.area().y0}, told,
                      {Font::caption, theme.palette.muted, Align::left});
    scene.ui.probe.mark("activation.deviation", plot.area(), worst, told);
}

void draw_choices(const Scene& scene, Rect rect, Selection& selection) {
    const Text& text = scene.ui.text;
    Focus& f = selection.focus;
    ImGui::SetCursorScreenPos({rect.x0, rect.y0});
    const Control kinds[] = {
        {"activation.values", text("activation.values"), text("activation.values_tip"), {}},
        {"activation.derivatives", text("activation.derivatives"), text("activation.derivatives_tip"), {}}};
    int kind = f.slopes ? 1 : 0;
    if (segmented(scene.ui, kinds, kind)) f.slopes = kind == 1;
    ImGui::SetCursorScreenPos({rect.x0 + rect.width() * 0.45F, rect.y0});
    const Control sources[] = {{"activation.own", text("activation.own"), text("activation.own_tip"), {}},
                               {"activation.all", text("activation.all"), text("activation.all_tip"), {}}};
    int source = f.all_tokens ? 1 : 0;
    if (segmented(scene.ui, sources, source)) f.all_tokens = source == 1;
}

/// The number of samples, on a scale that doubles.
void draw_samples(const Scene& scene, Rect rect, Selection& selection) {
    const Text& text = scene.ui.text;
    Dials& dials = selection.focus.dials;
    ImGui::SetCursorScreenPos({rect.x0, rect.y0});
    begin_child({"activation.samples.frame", rect.width(), rect.height(), false, false, ImGuiWindowFlags_NoScrollbar});
    float exponent = std::log2(static_cast<float>(dials.samples));
    const SliderRange range{0, 12, 1, [](float e) { return count_text(std::lround(std::exp2(e))); }};
    if (slider(scene.ui, {"activation.samples", text("activation.samples"), text("activation.samples_tip"), {}}, range,
               exponent))
        dials.samples = static_cast<int>(std::lround(std::exp2(exponent)));
    ImGui::EndChild();
}

}  // namespace

void activation_view(const Scene& scene, Selection& selection, WhatIfs&) {
    const Rect& a = scene.area;
    const Theme& theme = scene.ui.theme;
    const float controls = theme.px(46), words = theme.px(50), gap = theme.px(8);
    draw_choices(scene, {a.x0, a.y0, a.x1, a.y0 + controls}, selection);
    const Rect below{a.x0, a.y0 + controls, a.x1, a.y1 - words};
    const Rect left = columns(below, 0, 0.6F), right = columns(below, 0.64F, 1);
    const float split = left.y0 + left.height() * 0.6F;
    draw_curves(scene, {left.x0, left.y0, left.x1, split}, selection);
    draw_histogram(scene, {left.x0, split + gap, left.x1, left.y1}, selection);
    const float sliders = theme.px(64);
    draw_gate(scene, {right.x0, right.y0, right.x1, right.y1 - sliders - gap}, selection);
    draw_samples(scene, {right.x0, right.y1 - sliders, right.x1, right.y1}, selection);

    const double x = point_of(scene, selection);
    const auto written = [&](Activation activation) {
        return number_text(value_at(activation, x, selection.focus.slopes));
    };
    const std::string told = scene.ui.text("activation.point", {{"unit", std::to_string(selection.unit_in_view())},
                                                                {"x", number_text(x)},
                                                                {"gelu", written(Activation::gelu)},
                                                                {"relu", written(Activation::relu)},
                                                                {"elu", written(Activation::elu)}});
    const Difference tanh = largest_difference(Activation::gelu, Activation::gelu_tanh, low, high);
    const float line = scene.canvas.measure("", Font::body).y;
    text_line(scene, {a.x0, a.y1 - words + theme.px(4)}, a.width(), told);
    text_line(
        scene, {a.x0, a.y1 - words + theme.px(4) + line}, a.width(),
        scene.ui.text("activation.tanh", {{"difference", number_text(tanh.amount)}, {"at", number_text(tanh.at)}}),
        Font::caption, theme.palette.muted);
    scene.ui.probe.mark("activation.x", {a.x0, a.y1 - words, a.x1, a.y1}, x, told);
}

}  // namespace vitrine
