#include <algorithm>
#include <cmath>

#include "app/chapters/shown_norm.h"
#include "app/rooms/explore/views/views.h"
#include "app/rooms/figures/figures.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/colour_map.h"
#include "app/ui/widgets/hot_area.h"
#include "app/ui/widgets/plot.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "core/measures/analysis.h"
#include "core/transformer/equations.h"

namespace vitrine {

namespace {

/// The three tensors of a sum, (N, D) each.
struct Sum {
    std::shared_ptr<const BlockTrace> block;
    const Tensor2 &z, &branch, &out;
};
Sum sum_of(const Scene& scene, Half half, int block) {
    const auto t = scene.now.trace.block(block);
    if (half == Half::attention) return {t, scene.now.trace.z(block - 1), t->attention_branch(), t->residual};
    return {t, t->residual, t->mlp_branch(), scene.now.trace.z(block)};
}

/// Draws the branch before layer scale and, beside it, the gain of each feature.
void draw_gain(const Scene& scene, Rect rect, Selection& selection) {
    const Focus& f = selection.focus;
    const Palette& p = scene.ui.theme.palette;
    const bool first = f.half == Half::attention;
    const auto t = scene.now.trace.block(f.block);
    const BlockWeights& w = scene.now.model->weights.blocks[static_cast<std::size_t>(f.block - 1)];
    const Parameter& gain = first ? w.layer_scale_1 : w.layer_scale_2;
    const int d = scene.now.model->config.embedding_dim;
    const Rect left = columns(rect, 0, 0.485F), right = columns(rect, 0.515F, 1);
    vector_figure(scene, left,
                  {"residual.strip.unscaled",
                   scene.ui.text("residual.strip_unscaled"),
                   row_of(first ? t->msa : t->mlp.out, f.token),
                   row_region(first ? Quantity::msa : Quantity::mlp_out, f.block, 0, f.token, d),
                   first ? p.accent : p.mlp,
                   0,
                   {}},
                  selection);
    vector_figure(scene, right,
                  {"residual.strip.gain",
                   scene.ui.text("residual.strip_gain", {{"number", first ? "₁" : "₂"}}),
                   {gain.data(), gain.size()},
                   row_region(first ? Quantity::layer_scale_1 : Quantity::layer_scale_2, f.block, 0, 0, d),
                   p.norm,
                   0,
                   {}},
                  selection);
}

/// Whether the run has a residual connection in a block, and normalises after its sum.
struct SumRule {
    bool skip = true, normed = false;
};
SumRule rule_of_sum(const Result& now, int block) {
    const Equations e = equations_of(now.model->config, now.experiment.what_ifs, {block});
    return {e.skip.factor != 0, e.norm == Norm::after};
}

/// Draws the chosen token's numbers as three strips: z, the branch, their sum; the animation adds the branch to z. With
/// layer scale a fourth strip is above the branch.
void draw_strips(const Scene& scene, Rect rect, Selection& selection) {
    const Text& text = scene.ui.text;
    const Palette& p = scene.ui.theme.palette;
    const Focus& f = selection.focus;
    const bool first = f.half == Half::attention;
    const Sum sum = sum_of(scene, f.half, f.block);
    const int token = selection.focus.token, d = static_cast<int>(sum.z.shape()[1]);
    const std::span<const float> z = row_of(sum.z, token), branch = row_of(sum.branch, token),
                                 out = row_of(sum.out, token);
    const float reach = std::max({reach_of(z), reach_of(branch), reach_of(out)}), gap = scene.ui.theme.px(8);
    const bool scaled = scene.now.model->config.layer_scale;
    const auto [skip, normed] = rule_of_sum(scene.now, f.block);
    const float strips = scaled ? 4 : 3, height = (rect.height() - (strips - 1) * gap) / strips,
                moved = phase(scene.time, 0.1F, 0.9F);
    RectStack stack(rect, gap);
    const std::string name = short_token_name(scene.ui, scene.now, token);
    const Quantity in = first ? Quantity::z : Quantity::residual,
                   added = first ? (scaled ? Quantity::msa_scaled : Quantity::msa)
                                 : (scaled ? Quantity::mlp_scaled : Quantity::mlp_out),
                   result = first ? Quantity::residual : Quantity::z;
    vector_figure(scene, stack.next(height),
                  {"residual.strip.z",
                   text("residual.strip_z", {{"token", name}}),
                   z,
                   row_region(in, first ? f.block - 1 : f.block, 0, token, d),
                   p.residual,
                   reach,
                   {}},
                  selection);
    if (scaled) draw_gain(scene, stack.next(height), selection);
    vector_figure(scene, stack.next(height),
                  {"residual.strip.branch",
                   text(skip ? "residual.strip_branch" : "residual.strip_branch_alone"),
                   branch,
                   row_region(added, f.block, 0, token, d),
                   first ? p.accent : p.mlp,
                   reach,
                   {}},
                  selection);
    std::vector<float> between(z.begin(), z.end());
    for (std::size_t i = 0; i < between.size(); ++i) between[i] += (out[i] - z[i]) * moved;
    vector_figure(scene, stack.next(height),
                  {"residual.strip.sum",
                   text(normed  ? "residual.strip_sum_normed"
                        : !skip ? "residual.strip_sum_alone"
                                : "residual.strip_sum"),
                   between,
                   row_region(result, f.block, 0, token, d),
                   p.text,
                   reach,
                   {}},
                  selection);
}

/// Draws the lengths of the branches relative to z, by block.
void draw_ratios(const Scene& scene, Rect rect, Selection& selection) {
    const Text& text = scene.ui.text;
    const Palette& p = scene.ui.theme.palette;
    const int blocks = scene.now.model->config.blocks;
    std::vector<double> x, attention, mlp;
    for (int block = 1; block <= blocks; ++block) {
        x.push_back(block);
        const SkipRatio& ratio = scene.now.skip_ratios[static_cast<std::size_t>(block - 1)];
        attention.push_back(ratio.attention);
        mlp.push_back(ratio.mlp);
    }
    double high = 0;
    for (int i = 0; i < blocks; ++i)
        high = std::max({high, attention[static_cast<std::size_t>(i)], mlp[static_cast<std::size_t>(i)]});
    if (!std::isfinite(high)) high = 1;
    const float line = scene.canvas.measure("", Font::caption).y + scene.ui.theme.px(2);
    text_line(scene, {rect.x0, rect.y0}, rect.width(), text("residual.ratio"), Font::caption, p.muted);
    const LegendEntry entries[] = {{text("residual.attention"), p.accent}, {text("residual.mlp"), p.mlp}};
    const float title = scene.canvas.measure(text("residual.ratio"), Font::caption).x + scene.ui.theme.px(12);
    const float right = rect.x1 - scene.ui.theme.px(12);  // right end of the plot
    // The legend is beside the title if there is room, else below it.
    const bool beside = legend(scene.canvas, scene.ui, {rect.x0 + title, rect.y0, right, rect.y0 + line}, entries,
                               "residual.ratio.legend");
    const bool below = !beside && legend(scene.canvas, scene.ui, {rect.x0, rect.y0 + line, right, rect.y0 + 2 * line},
                                         entries, "residual.ratio.legend");
    Plot plot(scene.canvas, scene.ui, {rect.x0, rect.y0 + (below ? 2 : 1) * line, rect.x1, rect.y1},
              {0.5, blocks + 0.5, text("residual.block"), true}, {0, high * 1.1, {}});
    plot.line({x, attention, p.accent, text("residual.attention"), 2});
    plot.line({x, mlp, p.mlp, text("residual.mlp"), 2});
    plot.marker(selection.focus.block, p.query, std::to_string(selection.focus.block));
    for (int i = 0; i < blocks; ++i) {
        scene.canvas.circle(
            {plot.x_of(x[static_cast<std::size_t>(i)]), plot.y_of(attention[static_cast<std::size_t>(i)])},
            scene.ui.theme.px(4), p.accent);
        scene.canvas.circle({plot.x_of(x[static_cast<std::size_t>(i)]), plot.y_of(mlp[static_cast<std::size_t>(i)])},
                            scene.ui.theme.px(4), p.mlp);
    }
    const Hit hit = hot_area(scene.ui, "residual.ratios", plot.area(), {}, Reach::along_axis);
    if (hit.at) plot.readout(*hit.at);
    if (hit.at && hit.clicked) {
        const float part = (hit.at->x - plot.area().x0) / plot.area().width();
        selection.focus.block =
            std::clamp(static_cast<int>(std::lround(0.5F + part * static_cast<float>(blocks))), 1, blocks);
    }
    const auto chosen = static_cast<std::size_t>(selection.focus.block - 1);
    scene.ui.probe.mark("residual.ratio", plot.area(),
                        selection.focus.half == Half::attention ? attention[chosen] : mlp[chosen]);
}

/// True in a lecture if the strips below the maps would be too low to be seen from the last row.
bool strips_are_too_low(const Scene& scene, Rect rest) {
    const float line = scene.canvas.measure("", Font::caption).y, strips = scene.now.model->config.layer_scale ? 4 : 3;
    return scene.hall && rest.height() / strips - line < 2.5F * line;
}

}  // namespace

void residual_view(const Scene& scene, Selection& selection, WhatIfs&) {
    const Rect& a = scene.area;
    const Theme& theme = scene.ui.theme;
    const Text& text = scene.ui.text;
    half_choice(scene, {a.x0, a.y0}, selection);
    const Sum sum = sum_of(scene, selection.focus.half, selection.focus.block);
    const std::vector<float> z = row_norms(sum.z), branch = row_norms(sum.branch), out = row_norms(sum.out),
                             direction = row_cosines(sum.z, sum.branch);
    const float high = std::max({reach_of(z), reach_of(branch), reach_of(out)}), top = theme.px(48);
    const Rect below{a.x0, a.y0 + top, a.x1, a.y1},
        maps{below.x0, below.y0, below.x1, below.y0 + below.height() * 0.5F};
    const ColourScale lengths{ColourMap::sequential, 0, high};
    const bool first = selection.focus.half == Half::attention;
    const char* const branch_kind = scene.now.model->config.layer_scale                           ? "_scaled"
                                    : norm_here(scene.now, selection.focus.block) == Norm::before ? ""
                                                                                                  : "_plain";
    const Rect rest{below.x0, maps.y1 + theme.px(10), below.x1, below.y1};
    // On a low lecture screen the strips have the whole height, beside the two maps that the question compares.
    const bool low = strips_are_too_low(scene, rest);
    const auto place = [&](int i) {
        if (low) return columns(columns(maps, 0.63F, 1), i == 0 ? 0 : 0.52F, i == 0 ? 0.48F : 1);
        const auto part = static_cast<float>(i);
        return columns(maps, part * 0.255F, part * 0.255F + 0.235F);
    };
    const auto map = [&](int i, const char* id, const std::string& title, const std::vector<float>& values,
                         const ColourScale& scale) {
        token_map(scene, place(i), {id, title, values, scale, {}, {}, false}, selection);
    };
    map(0, "residual.z", text("residual.z"), z, lengths);
    map(1, "residual.branch",
        text(std::string(first ? "residual.branch_attention" : "residual.branch_mlp") + branch_kind), branch, lengths);
    if (!low) {
        const auto [skip, normed] = rule_of_sum(scene.now, selection.focus.block);
        map(2, "residual.sum", text(skip && !normed ? "residual.sum" : "residual.output"), out, lengths);
        map(3, "residual.direction", text("residual.direction"), direction, {ColourMap::diverging, -1, 1});
    }
    draw_strips(scene, columns(low ? below : rest, 0, 0.58F), selection);
    draw_ratios(scene, columns(rest, 0.63F, 1), selection);
}

}  // namespace vitrine
