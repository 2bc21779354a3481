#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "app/rooms/explore/views/views.h"
#include "app/rooms/figures/figures.h"
#include "app/rooms/figures/memo.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/heatmap.h"
#include "app/ui/widgets/hot_area.h"
#include "app/ui/widgets/number.h"
#include "app/ui/widgets/plot.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "core/measures/analysis.h"

namespace vitrine {

namespace {

constexpr float least_depth_scale = 330;  // least width of the colour bar, px at scale 1

constexpr ColourScale similarity{ColourMap::diverging, -1.0F, 1.0F};

const std::vector<float>& norms_at(const Scene& scene, int level) {
    return scene.now.measures.stream[static_cast<std::size_t>(level)]->norms;
}

/// Layout of the levels' maps.
struct LevelTiles {
    Tiling tiling;
    float aspect, line, gap;  // aspect ratio of a map; height of the line below each; gap between two

    /// The right end of the last row, given the number of maps.
    float right(Rect rect, int maps) const {
        return rect.x0 + (tiling.width + gap) * static_cast<float>(maps - (tiling.rows - 1) * tiling.columns) - gap;
    }
};
LevelTiles level_tiles(const Scene& scene, Rect rect) {
    const Theme& theme = scene.ui.theme;
    const Config& c = scene.now.model->config;
    LevelTiles tiles{{},
                     static_cast<float>(c.grid_width()) / static_cast<float>(c.grid_height()),
                     scene.canvas.measure("", Font::caption).y + theme.px(4),
                     theme.px(8)};
    tiles.tiling = tiling_of(c.blocks + 1, rect, tiles.aspect, {tiles.gap, tiles.line + tiles.gap});
    return tiles;
}

/// Draws a small map for every level; those that the animation has not reached yet are covered.
void draw_levels(const Scene& scene, Rect rect, Selection& selection) {
    const Theme& theme = scene.ui.theme;
    const Config& c = scene.now.model->config;
    const int levels = c.blocks + 1, token = selection.focus.token;
    const LevelTiles tiles = level_tiles(scene, rect);
    const float line = tiles.line, gap = tiles.gap, width = tiles.tiling.width;
    const int best = tiles.tiling.columns;
    const float height = width / tiles.aspect, reached = scene.time * static_cast<float>(levels);
    for (int level = 0; level < levels; ++level) {
        const float x = rect.x0 + (width + gap) * static_cast<float>(level % best),
                    y = rect.y0 + (height + line + gap) * static_cast<float>(level / best);
        const Rect map{x, y, x + width, y + height};
        const std::vector<float> all = cosines_to(scene.now.trace.z(level), norms_at(scene, level), token);
        const std::span<const float> values = c.patches_of(all);
        scene.canvas.heat_map(map, {values.data(), c.grid_height(), c.grid_width(), similarity, 1});
        if (static_cast<float>(level) > reached) scene.canvas.fill(map, theme.palette.panel.with_alpha(0.9F));
        outline_patches(scene, map, selection);
        const bool chosen = level == selection.focus.block && !scene.ui.bare;
        scene.canvas.stroke(map, chosen ? theme.palette.accent : theme.palette.line, theme.px(chosen ? 3.0F : 1.0F));
        scene.canvas.text({x, y + height + theme.px(2)},
                          scene.ui.text("depth.level", {{"level", std::to_string(level)}}),
                          {Font::caption, chosen ? theme.palette.accent : theme.palette.muted, Align::left});
        const Hit hit =
            hot_area(scene.ui, "depth.level." + std::to_string(level), map, {}, {c.grid_height(), c.grid_width()});
        if (hit.clicked && level > 0) selection.focus.block = level;
        const auto cell = hit.at ? cell_at(map, {c.grid_height(), c.grid_width()}, *hit.at) : std::nullopt;
        if (cell) {
            const int patch = cell->row * c.grid_width() + cell->column;
            selection.hover_token(c.token_of(patch));
            readout(scene.ui,
                    std::vector<std::string>{
                        token_name(scene.ui, scene.now, c.token_of(patch)),
                        "cos = " + number_text(static_cast<double>(values[static_cast<std::size_t>(patch)]))});
        }
    }
}

/// Draws the token's features, one row per level.
void draw_features(const Scene& scene, Rect rect, Selection& selection) {
    const Config& c = scene.now.model->config;
    const int levels = c.blocks + 1, token = selection.focus.token, d = c.embedding_dim;
    std::vector<float> cells;
    for (int level = 0; level < levels; ++level) {
        const std::span<const float> row = row_of(scene.now.trace.z(level), token);
        cells.insert(cells.end(), row.begin(), row.end());
    }
    const float line = scene.canvas.measure("", Font::caption).y + scene.ui.theme.px(3), reach = reach_of(cells);
    const std::string scale = "± " + number_text(static_cast<double>(reach));
    text_line(scene, {rect.x0, rect.y0},
              rect.width() - scene.canvas.measure(scale, Font::caption).x - scene.ui.theme.px(10),
              scene.ui.text("depth.features", {{"token", short_token_name(scene.ui, scene.now, token)}}), Font::caption,
              scene.ui.theme.palette.muted);
    scene.canvas.text({rect.x1, rect.y0}, scale, {Font::caption, scene.ui.theme.palette.muted, Align::right});
    const Rect map{rect.x0, rect.y0 + line, rect.x1, rect.y1};
    scene.canvas.heat_map(map, {cells.data(), levels, d, {ColourMap::diverging, -reach, reach}, 1});
    const float height = map.height() / static_cast<float>(levels);
    for (int level = 0; level < levels; ++level) {
        const float y = map.y0 + height * static_cast<float>(level);
        point_at_cells(scene, {map.x0, y, map.x1, y + height},
                       {"depth.row." + std::to_string(level), row_region(Quantity::z, level, 0, token, d), {1, d}},
                       selection);
    }
}

void draw_length(const Scene& scene, Rect rect, const Selection& selection) {
    const Text& text = scene.ui.text;
    const int blocks = scene.now.model->config.blocks, token = selection.focus.token;
    std::vector<double> level, length;
    for (int i = 0; i <= blocks; ++i) {
        level.push_back(i);
        length.push_back(static_cast<double>(norms_at(scene, i)[static_cast<std::size_t>(token)]));
    }
    const double high = std::max(1e-9, *std::max_element(length.begin(), length.end()));
    const float line = scene.canvas.measure("", Font::caption).y + scene.ui.theme.px(2);
    text_line(scene, {rect.x0, rect.y0}, rect.width(),
              text("depth.norm", {{"token", short_token_name(scene.ui, scene.now, token)}}), Font::caption,
              scene.ui.theme.palette.muted);
    Plot plot(scene.canvas, scene.ui, {rect.x0, rect.y0 + line, rect.x1, rect.y1},
              {0, static_cast<double>(blocks), text("depth.axis"), true}, {0, high * 1.1, {}});
    plot.line({level, length, scene.ui.theme.palette.residual,
               text("depth.norm", {{"token", short_token_name(scene.ui, scene.now, token)}}), 2});
    plot.marker(selection.focus.block, scene.ui.theme.palette.accent, std::to_string(selection.focus.block));
    scene.ui.probe.mark("depth.length", plot.area(), length[static_cast<std::size_t>(selection.focus.block)]);
}

/// Name of the curve that the question is about: "CLS · patches", or the patches and their mean if the head reads that.
std::string likeness_words(const Scene& scene) {
    const Config& c = scene.now.model->config;
    if (c.readout == Readout::mean || c.readout == Readout::attention) return scene.ui.text("depth.likeness_mean");
    const int token = c.readout == Readout::last ? c.tokens() - 1 : *c.first_of(TokenKind::class_token);
    return scene.ui.text("depth.likeness", {{"token", short_token_name(scene.ui, scene.now, token)}});
}

/// The mean cosine of all pairs of tokens, level by level.
std::vector<double> mean_cosines(const Trace& trace) {
    std::vector<double> means;
    for (int level = 0; level <= trace.blocks(); ++level) means.push_back(mean_pair_cosine(trace.z(level)));
    return means;
}

/// Draws that mean for this run and, if something is switched off, for the unchanged model; and the mean cosine of the
/// patches with what the head reads.
void draw_together(const Scene& scene, Rect rect, const Selection& selection) {
    const Text& text = scene.ui.text;
    const Palette& palette = scene.ui.theme.palette;
    static Memo<std::vector<double>> of_run, of_baseline;
    const auto last = [](const Trace& trace) { return trace.kept_z(trace.blocks()); };
    const std::vector<double>& run = of_run.of(last(scene.now.trace), 0, [&] { return mean_cosines(scene.now.trace); });
    const std::vector<double>& plain =
        of_baseline.of(last(scene.now.baseline), 0, [&] { return mean_cosines(scene.now.baseline); });
    std::vector<double> level, likeness;
    for (const auto& measures : scene.now.measures.stream) {
        level.push_back(static_cast<double>(level.size()));
        likeness.push_back(measures->likeness);
    }
    const float line = scene.canvas.measure("", Font::caption).y + scene.ui.theme.px(2);
    text_line(scene, {rect.x0, rect.y0}, rect.width(), text("depth.together"), Font::caption, palette.muted);
    const auto next = [&] { return Rect{rect.x0, rect.y0 += line, rect.x1, rect.y1}; };
    const LegendEntry entries[] = {{text("depth.pairs"), palette.accent}, {likeness_words(scene), palette.key}};
    const float title = scene.canvas.measure(text("depth.together"), Font::caption).x + scene.ui.theme.px(12);
    const Rect beside{rect.x0 + title, rect.y0, rect.x1, rect.y1};
    const std::span first = std::span(entries).first(1), second = std::span(entries).last(1);
    if (!legend(scene.canvas, scene.ui, beside, entries, "depth.legend")) {
        if (!legend(scene.canvas, scene.ui, beside, first, "depth.legend"))
            legend(scene.canvas, scene.ui, next(), first, "depth.legend");
        legend(scene.canvas, scene.ui, next(), second, "depth.legend.likeness");
    }
    const LegendEntry unchanged{text("depth.as_it_is"), palette.muted};
    if (run != plain) legend(scene.canvas, scene.ui, next(), std::span(&unchanged, 1), "depth.legend.plain");
    const double low = std::min(
        {0.0, *std::ranges::min_element(run), *std::ranges::min_element(plain), *std::ranges::min_element(likeness)});
    Plot plot(scene.canvas, scene.ui, {rect.x0, rect.y0 + line, rect.x1, rect.y1},
              {0, level.back(), text("depth.axis"), true}, {low, 1.05, {}});
    if (run != plain) plot.line({level, plain, unchanged.color, unchanged.name, 2});
    for (const auto& [values, entry] : {std::pair(&run, entries[0]), {&std::as_const(likeness), entries[1]}})
        plot.line({level, *values, entry.color, entry.name, 2});
    if (const Hit hit = hot_area(scene.ui, "depth.together.plot", plot.area(), {}, Reach::along_axis); hit.at)
        plot.readout(*hit.at);
    const auto chosen = static_cast<std::size_t>(selection.focus.block);
    scene.ui.probe.mark("depth.together", plot.area(), run[chosen]);
    scene.ui.probe.mark("depth.likeness", plot.area(), likeness[chosen], entries[1].name);
}

}  // namespace

void depth_view(const Scene& scene, Selection& selection, WhatIfs&) {
    const Rect& a = scene.area;
    const Theme& theme = scene.ui.theme;
    const float bar = theme.px(64), below = std::clamp(a.height() * 0.3F, theme.px(110), theme.px(230)),
                gap = theme.px(10);
    Rect maps{a.x0, a.y0, a.x1, a.y1 - below - bar - 2 * gap};
    Rect scale{a.x0, a.y1 - below - bar - gap, a.x0 + std::min(a.width(), theme.px(480)), a.y1 - below - gap};
    // If the scale has room beside the last row of maps, it goes there, and the maps are higher.
    const Rect whole{a.x0, a.y0, a.x1, a.y1 - below - gap};
    const float right = level_tiles(scene, whole).right(whole, scene.now.model->config.blocks + 1) + theme.px(24);
    if (a.x1 - right >= theme.px(least_depth_scale)) {
        maps = whole;
        scale.x0 = right;
        scale.x1 = std::min(a.x1, right + theme.px(480));
    }
    draw_levels(scene, maps, selection);
    const std::string of =
        scene.ui.text("depth.similarity", {{"token", short_token_name(scene.ui, scene.now, selection.focus.token)}});
    std::string fixed = scene.ui.text("scope.fixed");  // the ends, −1 and 1, say so too
    if (scene.canvas.measure(of + fixed, Font::caption).x + theme.px(16) > scale.width()) fixed.clear();
    colour_bar(scene.canvas, scene.ui, scale, {similarity, of, fixed});
    scene.ui.probe.mark("depth.scale", scale, 0, of);
    const Rect rest{a.x0, a.y1 - below, a.x1, a.y1};
    draw_features(scene, columns(rest, 0, 0.52F), selection);
    draw_length(scene, columns(rest, 0.54F, 0.73F), selection);
    draw_together(scene, columns(rest, 0.75F, 1), selection);
}

}  // namespace vitrine
