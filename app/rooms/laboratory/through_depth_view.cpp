#include <algorithm>

#include "app/chapters/model_words.h"
#include "app/rooms/figures/figures.h"
#include "app/rooms/laboratory/laboratory.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/ui.h"
#include "app/ui/widgets/canvas.h"
#include "app/ui/widgets/heatmap.h"
#include "app/ui/widgets/number.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "core/measures/analysis.h"
#include "core/measures/rollout.h"

namespace vitrine {

namespace {

/// The largest value of a row on patches other than the query, whose own value is so large that it would hide the rest.
float largest_of_others(const Config& c, std::span<const float> row, int query) {
    float largest = 0;
    for (int j = c.token_of(0); j < c.tokens(); ++j)
        if (j != query) largest = std::max(largest, row[static_cast<std::size_t>(j)]);
    return largest;
}

/// Writes the sum of the query's row, its value on the query, and the largest on another patch. Returns the height.
float draw_numbers(const LabScene& lab, Rect rect, std::span<const float> row, const Focus& focus) {
    const Ui& ui = lab.scene.ui;
    double sum = 0;
    for (const float w : row) sum += static_cast<double>(w);
    const Config& c = lab.scene.now.model->config;
    const int first = c.token_of(0);
    int best = focus.token == first && c.patches() > 1 ? first + 1 : first;  // among the other patches
    for (int j = first; j < c.tokens(); ++j)
        if (j != focus.token && row[static_cast<std::size_t>(j)] > row[static_cast<std::size_t>(best)]) best = j;
    const double own = static_cast<double>(row[static_cast<std::size_t>(focus.token)]);
    const bool rollout = focus.lab.method == DepthMethod::rollout;
    std::string words =
        ui.text("depth.numbers", {{"query", short_token_name(ui, lab.scene.now, focus.token)},
                                  {"sum", number_text(sum)},
                                  {"own", number_text(own)},
                                  {"best", token_name(ui, lab.scene.now, best)},
                                  {"value", number_text(static_cast<double>(row[static_cast<std::size_t>(best)]))}});
    if (!rollout && lab.measured.target.against)
        words += "\n" + ui.text("lab.against",
                                {{"class", class_in_words(ui, *lab.scene.now.model, lab.measured.target.index)},
                                 {"other", class_in_words(ui, *lab.scene.now.model, *lab.measured.target.against)}});
    const float height = text_block(lab.scene, rect, words);
    ui.probe.mark("depth.sum", rect, sum, words);
    return height;
}

/// The readout's row, drawn beside the query's: a classifier that reads several tokens has no row of its own in R. It
/// has a scale of its own, since a mean over tokens is flatter.
void draw_at_readout(const LabScene& lab, Rect rect, std::span<const float> row, Selection& selection) {
    const Config& c = lab.scene.now.model->config;
    const Ui& ui = lab.scene.ui;
    const std::span<const float> patches = c.patches_of(row);
    const float largest = patches.empty() ? 0 : *std::max_element(patches.begin(), patches.end());
    const std::string key = key_for(ui.text, "depth.readout", c);
    const float line =
        ui.theme.px(8) +
        text_block(lab.scene, rect, ui.text(key, {{"value", number_text(static_cast<double>(largest))}}));
    const float x0 = rect.x0 + leading_room(lab.scene);
    const Rect map = fit({x0, rect.y0 + line, rect.x1, rect.y1}, grid_aspect(lab));
    if (map.height() < ui.theme.px(48)) return;
    const Rect left{x0, map.y0, x0 + map.width(), map.y1};
    const ColourScale scale = scale_to(selection.focus, selection.reach("depth.readout", largest));
    patch_map(lab, left, {"depth.readout", row, scale, true, "R"}, selection);
}

}  // namespace

void through_depth_view(const LabScene& lab, Selection& selection) {
    const Scene& scene = lab.scene;
    const Ui& ui = scene.ui;
    const Theme& theme = ui.theme;
    Focus& focus = selection.focus;
    const bool rollout = focus.lab.method == DepthMethod::rollout;
    if (!rollout && scene.now.model->config.classes == 0) return say(lab, ui.text("lab.no_classes"));
    const auto& matrices = rollout ? lab.measured.rollout : lab.measured.relevance;
    if (!matrices) return report_missing(lab);

    const BlockRange range =
        block_range(lab.measured.range.first_block, lab.measured.range.last_block, scene.now.model->config.blocks);
    const Config& c = scene.now.model->config;
    const int query = focus.token;
    const std::span<const float> last = row_of(matrices->back(), query);
    float high = largest_of_others(c, last, query);
    if (focus.scope == Scope::model || range_in_laboratory(focus.scope) == Scope::block)
        for (const Tensor2& m : *matrices) high = std::max(high, largest_of_others(c, row_of(m, query), query));
    const ColourScale scale = scale_to(focus, selection.reach("depth", high));

    const Rect& a = scene.area;
    const float bar = theme.px(64);
    const float line = scene.canvas.measure("", Font::caption).y + theme.px(6), title = theme.px(10) + line;
    const Rect most{a.x0, a.y0 + a.height() * 0.58F + title, a.x1, a.y1};  // of the small maps
    const Rect top{a.x0, a.y0, a.x1, a.y1 - level_strip_height(lab, most, range.last - range.first + 1) - title};
    const float left = top.x0 + leading_room(scene);
    const Rect figure = fit({left, top.y0, columns(top, 0, 0.6F).x1, top.y1}, grid_aspect(lab));
    const Rect map{left, top.y0, left + figure.width(), top.y0 + figure.height()};
    patch_map(lab, map, {"depth.map", last, scale, true, "R"}, selection);
    const Rect beside{map.x1 + theme.px(24), top.y0, top.x1, top.y1 - bar};
    const float told = draw_numbers(lab, beside, last, focus);
    const auto& readout = rollout ? lab.measured.rollout_readout : lab.measured.relevance_readout;
    if (readout && c.readout != Readout::class_token && c.readout != Readout::last)
        draw_at_readout(lab, {beside.x0, beside.y0 + told + theme.px(12), beside.x1, beside.y1 - theme.px(12)},
                        *readout, selection);
    bar_of_both(lab, {map.x1 + theme.px(24), top.y1 - bar, top.x1, top.y1},
                {scale, ui.text(rollout ? "depth.rollout_caption" : "depth.relevance_caption"),
                 ui.text(focus.scope == Scope::fixed  ? "scope.fixed"
                         : focus.scope == Scope::head ? "depth.this_map"
                                                      : "depth.all_maps")});

    text_line(scene, {a.x0, top.y1 + theme.px(10)}, a.width(),
              ui.text("depth.strip", {{"first", std::to_string(range.first)}}), Font::caption, theme.palette.muted);
    const Rect strip{a.x0, top.y1 + title, a.x1, a.y1};
    const auto clicked = level_strip(
        lab, strip, {"depth.step", range.first, range.last, range.last, "depth.after"}, [&](int level, Rect small) {
            const std::span<const float> row =
                row_of((*matrices)[static_cast<std::size_t>(level - range.first)], query);
            const ColourScale own = focus.scope == Scope::head
                                        ? scale_to(focus, selection.reach("depth." + std::to_string(level),
                                                                          largest_of_others(c, row, query)))
                                        : scale;
            paint_patches(lab, small, c.patches_of(row), own);
            outline_patches(scene, small, selection);
        });
    if (clicked) focus.lab.rollout.last_block = *clicked == scene.now.model->config.blocks ? 0 : *clicked;
}

}  // namespace vitrine
