#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/chapters/step.h"
#include "app/platform/imgui_compat.h"
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
#include "core/studies/dropout.h"
#include "core/studies/normalisation.h"

namespace vitrine {

namespace {

void draw_dropout_dials(const Scene& scene, Rect rect, Selection& selection) {
    const Text& text = scene.ui.text;
    SliderValues& dials = selection.focus.dials;
    ImGui::SetCursorScreenPos({rect.x0, rect.y0});
    begin_child({"dropout.dials", rect.width() * 0.5F, rect.height(), false, false, ImGuiWindowFlags_NoScrollbar});
    float p = dials.dropout;
    if (slider(scene.ui, {"dropout.p", text("dropout.p"), text("dropout.p_tip"), {}}, {0, 0.9F, 0.05F, {}}, p))
        dials.dropout = std::round(p * 20) / 20;
    ImGui::EndChild();
    ImGui::SetCursorScreenPos({rect.x0 + rect.width() * 0.5F + scene.ui.theme.px(28), rect.y0 + scene.ui.theme.px(10)});
    if (button(scene.ui, {"dropout.new", text("dropout.new"), text("dropout.new_tip"), {}})) ++dials.seed;
}

/// Hatches the dropped units; columns too narrow for that are filled.
void hatch_dropped(const Scene& scene, Rect bars, const std::vector<bool>& mask) {
    const float width = bars.width() / static_cast<float>(mask.size());
    for (std::size_t i = 0; i < mask.size(); ++i) {
        if (mask[i]) continue;
        const float x = bars.x0 + width * static_cast<float>(i);
        const Rect column{x, bars.y0, x + width, bars.y1};
        if (width >= 4)
            hatch(scene.canvas, column, scene.ui.theme.palette.muted, scene.ui.theme.px(7));
        else
            scene.canvas.fill(column, scene.ui.theme.palette.line);
    }
}

/// Draws how the mean over more and more masks converges to the expectation; the first mask is the one in view.
void draw_convergence(const Scene& scene, Rect rect, std::span<const float> x, const SliderValues& dials) {
    const Text& text = scene.ui.text;
    const std::vector<double> errors =
        averaging_errors(x, dials.dropout, static_cast<std::uint64_t>(dials.seed), masks_averaged);
    std::vector<double> k;
    for (int i = 1; i <= masks_averaged; ++i) k.push_back(i);
    const double high = std::max(1e-9, *std::max_element(errors.begin(), errors.end()));
    const float line = scene.canvas.measure("", Font::caption).y + scene.ui.theme.px(2);
    text_line(scene, {rect.x0, rect.y0}, rect.width(), text("dropout.convergence"), Font::caption,
              scene.ui.theme.palette.muted);
    Plot plot(scene.canvas, scene.ui, {rect.x0, rect.y0 + line, rect.x1, rect.y1},
              {0, static_cast<double>(masks_averaged), text("dropout.masks"), true}, {0, high * 1.1, {}});
    plot.line({k, errors, scene.ui.theme.palette.mlp, text("dropout.error"), 2});
    if (const Hit hit = hot_area(scene.ui, "dropout.convergence", plot.area()); hit.at) plot.readout(*hit.at);
    scene.ui.probe.mark("dropout.error", plot.area(), errors.back(), number_text(errors.back()));
}

}  // namespace

void dropout_view(const Scene& scene, Selection& selection, WhatIfs&) {
    const Rect& a = scene.area;
    const Theme& theme = scene.ui.theme;
    const Text& text = scene.ui.text;
    const SliderValues& dials = selection.focus.dials;
    const int token = selection.focus.token;
    const auto block = block_of(scene, selection);
    const std::span<const float> x = row_of(block->mlp.activation, token);
    const std::vector<bool> mask = dropout_mask(x.size(), dials.dropout, static_cast<std::uint64_t>(dials.seed));
    const std::vector<float> y = dropped_out(x, mask, dials.dropout);
    const float controls = theme.px(66), gap = theme.px(12), caption = theme.px(58);
    RectStack stack(a, gap);
    draw_dropout_dials(scene, stack.next(controls), selection);
    const float free = stack.rest().height() - caption - 3 * gap;
    // The axis and its name take most of a low plot.
    const float plot_height = std::max(free / 3, std::min(theme.px(110), free / 2));
    const float height = (free - plot_height) / 2;
    const float reach = std::max(reach_of(x), reach_of(y)),
                line = scene.canvas.measure("", Font::caption).y + theme.px(3);
    const std::string count = count_text(static_cast<std::int64_t>(x.size()));
    const Rect before = stack.next(height);
    const Region region =
        row_region(Quantity::mlp_activation, selection.focus.block, 0, token, static_cast<int>(x.size()));
    vector_figure(scene, before,
                  {"dropout.before",
                   text("dropout.before", {{"token", short_token_name(scene.ui, scene.now, token)}, {"count", count}}),
                   x,
                   region,
                   theme.palette.mlp,
                   reach,
                   {}},
                  selection);

    // The dropped units shrink first, then the others are scaled.
    const float shrinking = phase(scene.time, 0, 0.5F), growing = phase(scene.time, 0.5F, 1);
    std::vector<float> between(x.begin(), x.end());
    for (std::size_t i = 0; i < between.size(); ++i)
        between[i] = mask[i] ? x[i] + (y[i] - x[i]) * growing : x[i] * (1 - shrinking);
    const Rect after = stack.next(height);
    vector_figure(scene, after, {"dropout.after", text("dropout.after"), between, {}, theme.palette.mlp, reach, {}},
                  selection);
    if (scene.time > 0) hatch_dropped(scene, {after.x0, after.y0 + line, after.x1, after.y1}, mask);

    const Rect caption_area = stack.next(caption);
    const auto dropped = std::count(mask.begin(), mask.end(), false);
    const double share = static_cast<double>(dropped) / static_cast<double>(mask.size());
    const std::string caption_words =
        text("dropout.dropped", {{"dropped", count_text(dropped)},
                                 {"count", count},
                                 {"share", percent_text(share)},
                                 {"p", number_text(static_cast<double>(dials.dropout))}}) +
        "   " +
        text("dropout.means",
             {{"before", number_text(moments_of(x).mean)}, {"after", number_text(moments_of(y).mean)}});
    text_line(scene, {caption_area.x0, caption_area.y0}, caption_area.width(), caption_words);
    text_line(scene, {caption_area.x0, caption_area.y0 + scene.canvas.measure("", Font::body).y}, caption_area.width(),
              text("dropout.off"), Font::caption, theme.palette.muted);
    scene.ui.probe.mark("dropout.dropped", caption_area, static_cast<double>(dropped), caption_words);
    draw_convergence(scene, stack.rest(), x, dials);
}

}  // namespace vitrine
