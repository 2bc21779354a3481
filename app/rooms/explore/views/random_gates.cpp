#include "app/rooms/explore/views/random_gates.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "app/chapters/shown_activation.h"
#include "app/platform/imgui_compat.h"
#include "app/rooms/figures/figures.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/hot_area.h"
#include "app/ui/widgets/number.h"
#include "app/workspace/selection.h"
#include "core/studies/activation_study.h"
#include "core/tensor/ops.h"

namespace vitrine {

namespace {

constexpr int points = 161, dots = 41;

/// Mean of the random gates at one x.
struct SampledPoint {
    double x = 0, gate = 0;
};
std::vector<SampledPoint> sampled_points(const SliderValues& dials) {
    std::vector<SampledPoint> all;
    for (int i = 0; i < dots; ++i) {
        const double x = activations_low + (activations_high - activations_low) * i / (dots - 1);
        all.push_back({x, sampled_gate(x, dials.samples, static_cast<std::uint64_t>(dials.seed))});
    }
    return all;
}

/// Writes in two lines the largest deviation of the dots from Φ, and of x times the dots from GELU; returns their
/// height.
float tell_deviations(const Scene& scene, Rect rect, std::span<const SampledPoint> sampled) {
    const Text& text = scene.ui.text;
    double gate = 0, product = 0;
    for (const SampledPoint& s : sampled) {
        gate = std::max(gate, std::abs(s.gate - normal_cdf(s.x)));
        product = std::max(
            product, std::abs(s.x * s.gate - static_cast<double>(activate(Activation::gelu, static_cast<float>(s.x)))));
    }
    float y = rect.y0;
    const auto tell = [&](const std::string& key, double deviation) {
        const std::string told = text(key, {{"deviation", number_text(deviation)}});
        const float line =
            text_line(scene, {rect.x0, y}, rect.width(), told, Font::caption, scene.ui.theme.palette.muted);
        scene.ui.probe.mark(key, {rect.x0, y, rect.x1, y + line}, deviation, told);
        y += line;
    };
    tell("activation.deviation", gate);
    tell("activation.product", product);
    return y - rect.y0;
}

}  // namespace

std::vector<double> activation_axis() {
    std::vector<double> x;
    for (int i = 0; i < points; ++i)
        x.push_back(activations_low + (activations_high - activations_low) * i / (points - 1));
    return x;
}

void draw_sampled_curve(const Scene& scene, const Plot& plot, const SliderValues& dials) {
    for (const SampledPoint& s : sampled_points(dials))
        scene.canvas.circle({plot.x_of(s.x), plot.y_of(s.x * s.gate)}, scene.ui.theme.px(2.5F),
                            scene.ui.theme.palette.text);
}

void draw_gate(const Scene& scene, Rect rect, const Selection& selection) {
    const Theme& theme = scene.ui.theme;
    const SliderValues& dials = selection.focus.dials;
    const std::vector<SampledPoint> sampled = sampled_points(dials);
    float y =
        rect.y0 + text_line(scene, {rect.x0, rect.y0}, rect.width(),
                            scene.ui.text("activation.gate", {{"count", count_text(dials.samples)}}), Font::caption);
    y += tell_deviations(scene, {rect.x0, y, rect.x1, rect.y1}, sampled) + theme.px(4);
    const std::string& told = scene.ui.text("activation.gates_told");
    if (hot_area(scene.ui, "activation.gates", {rect.x0, rect.y0, rect.x1, y}, told).at)
        readout(scene.ui, std::vector<std::string>{told, scene.ui.text("activation.deviations_told")});
    Plot plot(scene.canvas, scene.ui, {rect.x0, y, rect.x1, rect.y1}, {activations_low, activations_high, {}},
              {0, 1.05, {}});
    const std::vector<double> x = activation_axis();
    std::vector<double> gate;
    const double smooth = static_cast<double>(phase(scene.time, 0, 1));
    for (const double v : x) gate.push_back((v >= 0 ? 1.0 : 0.0) * (1 - smooth) + normal_cdf(v) * smooth);
    plot.line({x, gate, theme.palette.mlp, "Φ(x)", 2});
    for (const SampledPoint& s : sampled)
        scene.canvas.circle({plot.x_of(s.x), plot.y_of(s.gate)}, theme.px(3), theme.palette.text);
}

void draw_samples(const Scene& scene, Rect rect, Selection& selection) {
    const Text& text = scene.ui.text;
    SliderValues& dials = selection.focus.dials;
    ImGui::SetCursorScreenPos({rect.x0, rect.y0});
    begin_child({"activation.samples.frame", rect.width(), rect.height(), false, false, ImGuiWindowFlags_NoScrollbar});
    float exponent = std::log2(static_cast<float>(dials.samples));
    const SliderRange range{0, 12, 1, [](float e) { return count_text(std::lround(std::exp2(e))); }};
    if (slider(scene.ui, {"activation.samples", text("activation.samples"), text("activation.samples_tip"), {}}, range,
               exponent))
        dials.samples = static_cast<int>(std::lround(std::exp2(exponent)));
    ImGui::EndChild();
}

}  // namespace vitrine
