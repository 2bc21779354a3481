#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/chapters/shown_activation.h"
#include "app/rooms/explore/views/random_gates.h"
#include "app/rooms/explore/views/views.h"
#include "app/rooms/figures/computation.h"
#include "app/rooms/figures/figures.h"
#include "app/rooms/figures/memo.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/hot_area.h"
#include "app/ui/widgets/number.h"
#include "app/ui/widgets/plot.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "core/studies/activation_study.h"
#include "core/transformer/equations.h"

namespace vitrine {

namespace {

constexpr double low = activations_low, high = activations_high;

struct ActivationCurve {
    Activation activation;
    Color color;
    bool in_force = false;  // used by the block's MLP
};

bool approximates_gelu(Activation activation) {
    return activation == Activation::gelu_tanh || activation == Activation::quick_gelu;
}

/// The curves to draw: GELU's approximations share its curve; SiLU's is drawn for models that use it.
std::vector<ActivationCurve> curves_of(const Scene& scene, const Selection& selection) {
    const Palette& p = scene.ui.theme.palette;
    Activation now =
        equations_of(scene.now.model->config, scene.now.experiment.what_ifs, {selection.focus.block}).activation;
    if (approximates_gelu(now)) now = Activation::gelu;
    const Color colours[] = {p.key, p.value, p.mlp, p.accent};
    std::vector<ActivationCurve> curves;
    for (const Activation a : activations_shown(scene.now.model->config, now))
        curves.push_back({a, colours[curves.size()]});
    for (ActivationCurve& curve : curves) curve.in_force = curve.activation == now;
    return curves;
}

double value_at(Activation activation, double x, bool slope) {
    return slope ? static_cast<double>(activation_slope(activation, static_cast<float>(x)))
                 : exact_activation(activation, x);
}

/// The pre-activation marked by the point.
double point_of(const Scene& scene, const Selection& selection) {
    return static_cast<double>(row_of(block_of(scene, selection)->mlp.hidden,
                                      selection.focus.token)[static_cast<std::size_t>(selection.unit_in_view())]);
}

/// Draws GELU's minimum, found as the zero of its derivative.
void draw_minimum(const Scene& scene, const Plot& plot) {
    static const FlatPoint least = flat_point(Activation::gelu, -2, 0);
    const Theme& theme = scene.ui.theme;
    const Point at{plot.x_of(least.at), plot.y_of(least.value)};
    scene.canvas.ring(at, theme.px(6), theme.palette.text, theme.px(1));
    const std::string words =
        scene.ui.text("activation.minimum", {{"value", fixed_text(least.value, 5)}, {"at", fixed_text(least.at, 4)}});
    // Below the legend, away from the curves.
    const Rect& area = plot.area();
    const Point corner{area.x0 + theme.px(14), area.y0 + scene.canvas.measure("", Font::caption).y + theme.px(4)};
    text_line(scene, corner, plot.x_of(2.9) - corner.x, words, Font::caption, theme.palette.muted);
    scene.ui.probe.mark("activation.minimum", {at.x - 4, at.y - 4, at.x + 4, at.y + 4}, least.value, words);
}

/// Draws the unit in view as a point on every curve; where points coincide, earlier ones are rings around later ones.
void draw_points(const Scene& scene, const Plot& plot, const Selection& selection) {
    const Theme& theme = scene.ui.theme;
    const double x = point_of(scene, selection);
    if (x <= low || x >= high) return;
    const std::vector<ActivationCurve> curves = curves_of(scene, selection);
    const auto height_of = [&](const ActivationCurve& curve) {
        return plot.y_of(value_at(curve.activation, x, selection.focus.slopes));
    };
    for (auto curve = curves.begin(); curve != curves.end(); ++curve) {
        const Point p{plot.x_of(x), height_of(*curve)};
        const auto covering = std::count_if(curve + 1, curves.end(), [&](const ActivationCurve& later) {
            return std::abs(height_of(later) - p.y) < theme.px(8);
        });
        const float radius = theme.px(6 + 4 * static_cast<float>(covering));
        scene.canvas.circle(p, radius, curve->color);
        scene.canvas.ring(p, radius, theme.palette.panel, theme.px(2));
        scene.ui.probe.mark("activation.point." + activation_words(curve->activation),
                            {p.x - radius, p.y - radius, p.x + radius, p.y + radius},
                            value_at(curve->activation, x, selection.focus.slopes));
    }
}

/// Switches every block to a function, or back to the model's own.
void use_activation(const Scene& scene, Activation wanted, int block, WhatIfs& what_ifs) {
    std::erase_if(what_ifs, [&](const Intervention& one) {
        constexpr std::array all = {Activation::relu, Activation::elu, Activation::gelu, Activation::silu};
        return std::ranges::any_of(
            all, [&](Activation a) { return one == activate_with(a) || one == activate_with(a, block); });
    });
    const Activation own = scene.now.model->config.activation;
    if (wanted != (approximates_gelu(own) ? Activation::gelu : own)) what_ifs.push_back(activate_with(wanted));
}

PlotAxis axis_of_curves(const Scene& scene, bool slope) {
    return {slope ? -0.3 : -1.2, slope ? 1.5 : 4, scene.ui.text(slope ? "activation.slopes" : "activation.curves")};
}

/// Draws the curves with their legend; `margin` is the width of the numbers beside the plot.
void draw_curves(const Scene& scene, Rect rect, float margin, Selection& selection, WhatIfs& what_ifs) {
    const Theme& theme = scene.ui.theme;
    const Text& text = scene.ui.text;
    const bool slope = selection.focus.slopes;
    const std::vector<double> x = activation_axis();
    const PlotAxis y = axis_of_curves(scene, slope);
    rect.x0 += margin - plot_margin(scene.canvas, scene.ui, rect.height(), {low, high, {}}, y);
    Plot plot(scene.canvas, scene.ui, rect, {low, high, {}}, y);
    for (const ActivationCurve& curve : curves_of(scene, selection)) {
        std::vector<double> values;
        for (const double v : x) values.push_back(value_at(curve.activation, v, slope));
        plot.line({x, values, curve.color, activation_words(curve.activation), curve.in_force ? 3.5F : 2.0F});
    }
    if (!slope) {
        draw_sampled_curve(scene, plot, selection.focus.dials);
        draw_minimum(scene, plot);
    }
    draw_points(scene, plot, selection);
    // Names in the order of the curves' right ends.
    float legend = plot.area().x0 + theme.px(14);
    for (const ActivationCurve& curve : curves_of(scene, selection)) {
        const std::string word = activation_words(curve.activation), function = word + (slope ? "′" : "");
        const std::string name = curve.in_force ? text("activation.in_force", {{"name", function}}) : function;
        const float half = theme.px(curve.in_force ? 3.5F : 2.0F), middle = plot.area().y0 + theme.px(11);
        scene.canvas.fill({legend, middle - half, legend + theme.px(18), middle + half}, curve.color);
        scene.canvas.text({legend + theme.px(24), plot.area().y0}, name,
                          {Font::caption, theme.palette.text, Align::left});
        const float width = scene.canvas.measure(name, Font::caption).x, top = plot.area().y0;
        const Rect named{legend, top, legend + theme.px(24) + width, top + scene.canvas.measure(name, Font::caption).y};
        scene.ui.probe.mark("activation.legend." + word, named, curve.in_force ? 1 : 0, name);
        const Hit hit = hot_area(
            scene.ui, "activation.use." + word,
            {legend - theme.px(6), top - theme.px(2), legend + width + theme.px(30), top + theme.px(24)}, name);
        tooltip(scene.ui, text("activation.use", {{"name", word}}));
        if (hit.clicked) use_activation(scene, curve.activation, selection.focus.block, what_ifs);
        legend += theme.px(40) + width;
    }
    const Hit hit = hot_area(scene.ui, "activation.plot", plot.area(), {}, Reach::along_axis);
    if (hit.at) plot.readout(*hit.at);
}

/// Numbers of values on either side of the axis's range.
struct Outside {
    std::int64_t below = 0, above = 0;
};
Outside outside_of(const Scene& scene, std::span<const float> values, const Selection& selection) {
    const auto count = [&] {
        return Outside{std::ranges::count_if(values, [](float v) { return v < low; }),
                       std::ranges::count_if(values, [](float v) { return v > high; })};
    };
    static Memo<Outside> of_all;
    return selection.focus.all_tokens ? of_all.of(block_of(scene, selection), 0, count) : count();
}

/// Draws, below the axis, the number of values outside it; in the colour of text if they are more than a few.
void tell_outside(const Scene& scene, Rect line, const Outside& outside, std::size_t of) {
    const std::int64_t count = outside.below + outside.above;
    const Text& text = scene.ui.text;
    const std::string bound = fixed_text(high, 0);
    std::string told =
        text("activation.outside",
             {{"below", count_text(outside.below)}, {"above", count_text(outside.above)}, {"bound", bound}});
    const auto width_of = [&](const std::string& words) { return scene.canvas.measure(words, Font::caption).x; };
    if (width_of(told) + width_of(text("activation.axis")) + scene.ui.theme.px(16) > line.width())
        told = text("activation.outside_brief", {{"count", count_text(count)}, {"bound", bound}});
    scene.ui.probe.mark("activation.outside", line, static_cast<double>(count), told);
    constexpr double few = 0.05;
    const bool many = static_cast<double>(count) > few * static_cast<double>(of);
    const auto& palette = scene.ui.theme.palette;
    if (count > 0)
        text_line(scene, {line.x0, line.y0}, line.width() * 0.6F, told, Font::caption,
                  many ? palette.text : palette.muted);
}

Histogram histogram_of(const Scene& scene, const Selection& selection) {
    const auto block = block_of(scene, selection);
    const auto count = [&] {
        return histogram(pre_activations_shown(block->mlp.hidden, selection.focus), activation_bins, low, high);
    };
    static Memo<Histogram> of_all;  // of all tokens: hundreds of thousands of numbers
    return selection.focus.all_tokens ? of_all.of(block, 0, count) : count();
}

double most_of(const Histogram& h) { return std::max(1.0, *std::max_element(h.heights.begin(), h.heights.end())); }

void draw_histogram(const Scene& scene, Rect rect, float margin, Selection& selection) {
    const Text& text = scene.ui.text;
    const auto block = block_of(scene, selection);
    const std::span<const float> values = pre_activations_shown(block->mlp.hidden, selection.focus);
    const Histogram h = histogram_of(scene, selection);
    const auto count_below = [&] { return std::count_if(values.begin(), values.end(), [](float v) { return v < 0; }); };
    static Memo<std::ptrdiff_t> below_of_all;
    const auto below = selection.focus.all_tokens ? below_of_all.of(block, 0, count_below) : count_below();
    const double share = static_cast<double>(below) / static_cast<double>(values.size());
    std::string told = text(selection.focus.all_tokens ? "activation.histogram_all" : "activation.histogram",
                            {{"token", short_token_name(scene.ui, scene.now, selection.focus.token)},
                             {"block", scene.ui.ordinal(selection.focus.block - 1)},
                             {"share", percent_text(share)},
                             {"count", count_text(static_cast<std::int64_t>(values.size()))}});
    const float line = scene.canvas.measure("", Font::caption).y + scene.ui.theme.px(2);
    text_line(scene, {rect.x0, rect.y0}, rect.width(), told, Font::caption);
    scene.ui.probe.mark("activation.below", {rect.x0, rect.y0, rect.x1, rect.y0 + line}, share, told);
    const PlotAxis across{low, high, text("activation.axis")}, up{0, most_of(h), {}};
    const float own_margin = plot_margin(scene.canvas, scene.ui, rect.height() - line, across, up);
    Plot plot(scene.canvas, scene.ui, {rect.x0 + margin - own_margin, rect.y0 + line, rect.x1, rect.y1}, across, up);
    scene.ui.probe.mark("activation.histogram_area", plot.area(), plot.area().width());
    plot.bars({h.edges, h.heights, scene.ui.theme.palette.mlp, {}});
    plot.marker(0, scene.ui.theme.palette.muted, {});
    if (const double x = point_of(scene, selection); x > low && x < high)
        plot.marker(x, scene.ui.theme.palette.query, "x");
    tell_outside(scene, {plot.area().x0, rect.y1 - scene.canvas.measure("", Font::caption).y, rect.x1, rect.y1},
                 outside_of(scene, values, selection), values.size());
    if (const Hit hit = hot_area(scene.ui, "activation.histogram", plot.area()); hit.at) plot.readout(*hit.at);
}

void draw_activation_choices(const Scene& scene, Rect rect, Selection& selection) {
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

}  // namespace

void activation_view(const Scene& scene, Selection& selection, WhatIfs& what_ifs) {
    const Rect& a = scene.area;
    const Theme& theme = scene.ui.theme;
    const float controls = theme.px(46), words = theme.px(50), gap = theme.px(8);
    draw_activation_choices(scene, {a.x0, a.y0, a.x1, a.y0 + controls}, selection);
    const Rect below{a.x0, a.y0 + controls, a.x1, a.y1 - words};
    const Rect left = columns(below, 0, 0.6F), right = columns(below, 0.64F, 1);
    const float split = left.y0 + left.height() * 0.6F;
    // The histogram is below the curves, on the same x axis.
    const Rect curves{left.x0, left.y0, left.x1, split}, counts{left.x0, split + gap, left.x1, left.y1};
    const float line_of_histogram = scene.canvas.measure("", Font::caption).y + theme.px(2);
    const float margin = std::max(
        plot_margin(scene.canvas, scene.ui, curves.height(), {low, high, {}},
                    axis_of_curves(scene, selection.focus.slopes)),
        plot_margin(scene.canvas, scene.ui, counts.height() - line_of_histogram,
                    {low, high, scene.ui.text("activation.axis")}, {0, most_of(histogram_of(scene, selection)), {}}));
    draw_curves(scene, curves, margin, selection, what_ifs);
    draw_histogram(scene, counts, margin, selection);
    const float sliders = theme.px(64);
    draw_gate(scene, {right.x0, right.y0, right.x1, right.y1 - sliders - gap}, selection);
    draw_samples(scene, {right.x0, right.y1 - sliders, right.x1, right.y1}, selection);

    const double x = point_of(scene, selection);
    const auto written = [&](Activation activation) {
        return number_text(value_at(activation, x, selection.focus.slopes));
    };
    const std::string told = scene.ui.text(selection.focus.slopes ? "activation.point_slopes" : "activation.point",
                                           {{"unit", scene.ui.ordinal(selection.unit_in_view())},
                                            {"count", count_text(scene.now.model->config.mlp_dim)},
                                            {"x", number_text(x)},
                                            {"gelu", written(Activation::gelu)},
                                            {"relu", written(Activation::relu)},
                                            {"elu", written(Activation::elu)}});
    static const Difference tanh = largest_difference(Activation::gelu, Activation::gelu_tanh, low, high);
    const float line = scene.canvas.measure("", Font::body).y;
    text_line(scene, {a.x0, a.y1 - words + theme.px(4)}, a.width(), told);
    text_line(scene, {a.x0, a.y1 - words + theme.px(4) + line}, a.width(),
              scene.ui.text("activation.tanh",
                            {{"difference", number_text(tanh.amount)}, {"at", "±" + number_text(std::abs(tanh.at))}}),
              Font::caption, theme.palette.muted);
    scene.ui.probe.mark("activation.x", {a.x0, a.y1 - words, a.x1, a.y1}, x, told);
}

}  // namespace vitrine
