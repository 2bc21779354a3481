#include <algorithm>
#include <cassert>
#include <cmath>

#include "app/rooms/explore/views/views.h"
#include "app/rooms/figures/difference.h"
#include "app/rooms/figures/figures.h"
#include "app/rooms/laboratory/lab_difference.h"
#include "app/rooms/laboratory/laboratory.h"
#include "app/rooms/laboratory/token_figures.h"
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

/// The level of the token figures: the chosen block's, unless another level was chosen.
int level_of_tokens(const LabScene& lab, const Focus& focus) {
    return token_level(focus, lab.scene.now.model->config.blocks);
}

/// Layout: a large map, its legend below it, and a strip of levels to the right of both.
struct Stage {
    Rect map, legend, strip;
};
Stage stage_of(const LabScene& lab) {
    const Theme& theme = lab.scene.ui.theme;
    const Rect& a = lab.scene.area;
    const float bar = theme.px(64);
    const float left = a.x0 + leading_room(lab.scene);
    const Rect all = fit({a.x0, a.y0, a.x0 + a.width() * 0.56F, a.y1 - bar - theme.px(10)}, grid_aspect(lab));
    const Rect figure = fit({left, a.y0, a.x0 + all.width(), all.y1}, grid_aspect(lab));
    Stage s;
    s.map = {left, a.y0, left + figure.width(), a.y0 + figure.height()};
    s.legend = {a.x0, s.map.y1 + theme.px(8), a.x0 + std::max(all.width(), theme.px(300)), a.y1};
    s.strip = {std::max(s.map.x1, s.legend.x1) + theme.px(28), a.y0, a.x1, a.y1};
    return s;
}

void choose_level(const LabScene& lab, Rect rect, Selection& selection, const std::string& id,
                  const std::function<void(int level, Rect map)>& paint) {
    const int blocks = lab.scene.now.model->config.blocks;
    const auto clicked =
        level_strip(lab, rect, {id, 0, blocks, level_of_tokens(lab, selection.focus), "depth.level"}, paint);
    if (clicked) choose_token_level(selection.focus, *clicked);
}

void draw_similarity(const LabScene& lab, Selection& selection) {
    constexpr ColourScale scale{ColourMap::diverging, -1.0F, 1.0F};
    const Scene& scene = lab.scene;
    const Stage s = stage_of(lab);
    const int level = level_of_tokens(lab, selection.focus), token = selection.focus.token;
    const auto cosines_at = [&](int l) {
        return cosines_to(scene.now.trace.z(l), scene.now.measures.stream[static_cast<std::size_t>(l)]->norms, token);
    };
    const std::vector<float> all = cosines_at(level);
    const Config& c = scene.now.model->config;
    patch_map(lab, s.map, {"tokens.similarity", all, scale, false, "cos"}, selection);
    colour_bar(scene.canvas, scene.ui, s.legend,
               {scale,
                scene.ui.text("tokens.similarity_caption", {{"token", short_token_name(scene.ui, scene.now, token)},
                                                            {"level", std::to_string(level)}}),
                scene.ui.text("tokens.fixed_range")});
    choose_level(lab, s.strip, selection, "tokens.level", [&](int l, Rect map) {
        const std::vector<float> own = cosines_at(l);
        paint_patches(lab, map, c.patches_of(own), scale);
        outline_patches(scene, map, selection);
    });
}

void draw_components(const LabScene& lab, Selection& selection) {
    const Scene& scene = lab.scene;
    if (!lab.measured.colours) return report_missing(lab);
    const Stage s = stage_of(lab);
    const int level = level_of_tokens(lab, selection.focus);
    const Config& c = scene.now.model->config;
    const LevelColours& shown = (*lab.measured.colours)[static_cast<std::size_t>(level)];
    scene.canvas.picture(s.map, {shown.picture, {}, true});
    outline_patches(scene, s.map, selection);
    const Hit hit = hot_area(scene.ui, "tokens.components", s.map, {}, {c.grid_height(), c.grid_width()});
    if (const auto cell = hit.at ? cell_at(s.map, {c.grid_height(), c.grid_width()}, *hit.at) : std::nullopt) {
        const int token = c.token_of(cell->row * c.grid_width() + cell->column);
        selection.hover_token(token);
        if (hit.clicked) selection.focus.token = token;
        readout(scene.ui, std::vector<std::string>{token_name(scene.ui, scene.now, token)});
    }
    const auto share = [&](std::size_t k) {
        return percent_text(shown.explained.size() > k ? static_cast<double>(shown.explained[k]) : 0.0);
    };
    const std::string words = scene.ui.text(
        "tokens.components_caption",
        {{"level", std::to_string(level)}, {"first", share(0)}, {"second", share(1)}, {"third", share(2)}});
    text_block(scene, s.legend, words, Font::caption);
    scene.ui.probe.mark("tokens.explained", s.legend,
                        shown.explained.empty() ? 0.0 : static_cast<double>(shown.explained[0]), words);
    choose_level(lab, s.strip, selection, "tokens.level", [&](int l, Rect map) {
        scene.canvas.picture(map, {(*lab.measured.colours)[static_cast<std::size_t>(l)].picture, {}, true});
    });
}

void draw_filters(const LabScene& lab) {
    const Scene& scene = lab.scene;
    const Theme& theme = scene.ui.theme;
    if (!lab.measured.filters) return report_missing(lab);
    const auto& filters = *lab.measured.filters;
    const float line = scene.canvas.measure("", Font::caption).y + theme.px(4), gap = theme.px(10);
    const Rect& a = scene.area;
    const float legend = theme.px(30);
    const Tiling t =
        tiling_of(static_cast<int>(filters.size()), {a.x0, a.y0, a.x1, a.y1 - legend}, 1, {gap, line + gap});
    double shown = 0;
    for (std::size_t k = 0; k < filters.size(); ++k) {
        const auto place = static_cast<int>(k);
        const float x = a.x0 + (t.width + gap) * static_cast<float>(place % t.columns),
                    y = a.y0 + (t.width + line + gap) * static_cast<float>(place / t.columns);
        const Rect tile{x, y, x + t.width, y + t.width};
        scene.canvas.picture(tile, {filters[k], {}, true});
        scene.canvas.stroke(tile, theme.palette.line, theme.px(1));
        const double share = static_cast<double>(lab.measured.filter_components->explained[k]);
        shown += share;
        const std::string both = std::to_string(k + 1) + " · " + percent_text(share);
        const bool fits = scene.canvas.measure(both, Font::caption).x <= t.width + gap;
        const std::string words = fits ? both : percent_text(share);
        text_line(scene, {x, tile.y1 + theme.px(1)}, t.width + gap, words, Font::caption, theme.palette.muted);
        scene.ui.probe.mark("tokens.filter." + std::to_string(k), tile, share, words);
    }
    text_line(scene, {a.x0, a.y1 - legend + theme.px(6)}, a.width(),
              scene.ui.text("tokens.filters_caption",
                            {{"count", std::to_string(filters.size())}, {"share", percent_text(shown)}}),
              Font::caption, theme.palette.muted);
}

/// Factor by which the axis extends beyond the data, to leave room for `lines` lines of words.
double headroom(const Scene& scene, Rect plot, int lines) {
    const float line = scene.canvas.measure("", Font::caption).y, words = line * static_cast<float>(lines);
    const float height = std::max(words + line, plot.height() - 3 * line);  // without the axis and its name
    return static_cast<double>(height / (height - words)) * 1.03;
}

/// A vertical marker with words above the data. `line` is the words' line from the top, so that two do not overlap.
struct NamedMarker {
    double at;
    Color color;
    std::string words;
    int line = 0;
};
void named_marker(const Scene& scene, Plot& plot, const NamedMarker& m, const std::string& id) {
    plot.marker(m.at, m.color, "");
    const Point size = scene.canvas.measure(m.words, Font::caption);
    const float x = plot.x_of(m.at), gap = scene.ui.theme.px(6),
                y = plot.area().y0 + size.y * static_cast<float>(m.line);
    const bool fits = x + gap + size.x < plot.area().x1;
    scene.canvas.text({fits ? x + gap : x - gap, y}, m.words,
                      {Font::caption, m.color, fits ? Align::left : Align::right});
    scene.ui.probe.mark(id, {fits ? x + gap : x - gap - size.x, y, fits ? x + gap + size.x : x - gap, y + size.y}, m.at,
                        m.words);
}

/// Lengths of vectors by level: the median patch, the longest patch, the class token, and the chosen token if it is
/// another one; a click chooses the level.
void draw_lengths(const LabScene& lab, Rect rect, int level, Selection& selection) {
    const Scene& scene = lab.scene;
    const Theme& theme = scene.ui.theme;
    const TokenNorms& n = *lab.measured.norms;
    const Config& c = scene.now.model->config;
    const auto first = static_cast<std::size_t>(c.token_of(0));
    const std::optional<int> class_token = c.first_of(TokenKind::class_token);
    const int token = selection.focus.token;
    std::vector<double> levels, median, longest, own, chosen_token;
    for (std::size_t l = 0; l < n.levels.size(); ++l) {
        levels.push_back(static_cast<double>(l));
        median.push_back(static_cast<double>(n.levels[l].median));
        const float* const row = &n.norms(l, 0);
        longest.push_back(static_cast<double>(*std::max_element(row + first, row + n.norms.shape()[1])));
        if (class_token) own.push_back(static_cast<double>(row[*class_token]));
        chosen_token.push_back(static_cast<double>(row[token]));
    }
    double highest = *std::max_element(longest.begin(), longest.end());
    for (const double length : own) highest = std::max(highest, length);
    const auto high = static_cast<double>(selection.reach("tokens.lengths", static_cast<float>(highest)));
    Plot plot(scene.canvas, scene.ui, rect, {0, levels.back(), scene.ui.text("lab.level_axis"), true},
              {0, std::max(1e-9, high * headroom(scene, rect, 1)), {}});
    plot.line({levels, median, theme.palette.residual, scene.ui.text("tokens.median"), 2});
    plot.line({levels, longest, theme.palette.key, scene.ui.text("tokens.longest"), 2});
    if (class_token) plot.line({levels, own, theme.palette.query, scene.ui.text("token.class_short"), 2});
    if (token != class_token)
        plot.line({levels, chosen_token, theme.palette.text, short_token_name(scene.ui, scene.now, token), 2});
    named_marker(scene, plot, {static_cast<double>(level), theme.palette.accent, std::to_string(level)},
                 "tokens.lengths.level");
    scene.ui.probe.mark("tokens.lengths.top", {plot.area().x0, plot.y_of(high), plot.area().x1, plot.area().y1}, high);
    const Hit hit = hot_area(scene.ui, "tokens.lengths", plot.area(), {}, Reach::along_axis);
    if (!hit.at) return;
    plot.readout(*hit.at);
    const int last = static_cast<int>(levels.size()) - 1;
    const float place = (hit.at->x - plot.area().x0) / plot.area().width() * static_cast<float>(last);
    const int chosen = std::clamp(static_cast<int>(std::lround(place)), 0, last);
    if (hit.clicked) choose_token_level(selection.focus, chosen);
}

/// Writes the number of outliers at a level, and the first massive activations, which cause outliers.
void tell_outliers(const LabScene& lab, Rect rect, int level) {
    const Scene& scene = lab.scene;
    const Text& text = scene.ui.text;
    const TokenNorms::Level& l = lab.measured.norms->levels[static_cast<std::size_t>(level)];
    std::string words = text("tokens.outliers", {{"count", std::to_string(l.outliers.size())},
                                                 {"level", std::to_string(level)},
                                                 {"median", number_text(static_cast<double>(l.median))},
                                                 {"reach", number_text(static_cast<double>(outlier_reach))}});
    words += "\n" + text(lab.measured.massive->empty() ? "tokens.no_massive" : "tokens.massive",
                         {{"count", std::to_string(lab.measured.massive->size())}});
    constexpr std::size_t told = 4;
    for (std::size_t i = 0; i < std::min(told, lab.measured.massive->size()); ++i) {
        const MassiveActivation& m = (*lab.measured.massive)[i];
        words += "\n" + text("tokens.massive_row", {{"level", std::to_string(m.level)},
                                                    {"token", short_token_name(scene.ui, scene.now, m.token)},
                                                    {"feature", scene.ui.ordinal(m.feature)},
                                                    {"value", number_text(static_cast<double>(m.value))},
                                                    {"times", number_text(static_cast<double>(m.times_median))}});
    }
    text_block(scene, rect, words, Font::caption);
    scene.ui.probe.mark("tokens.outliers", rect, static_cast<double>(l.outliers.size()), words);
}

void draw_norms(const LabScene& lab, Selection& selection) {
    const Scene& scene = lab.scene;
    const Theme& theme = scene.ui.theme;
    if (!lab.measured.norms || !lab.measured.massive) return report_missing(lab);
    const Stage s = stage_of(lab);
    const Config& c = scene.now.model->config;
    const int level = level_of_tokens(lab, selection.focus);
    const TokenNorms& n = *lab.measured.norms;
    const std::span<const float> patches = c.patches_of(row_of(n.norms, level));
    const float longest = selection.reach("tokens.norms", *std::max_element(patches.begin(), patches.end()));
    const ColourScale scale = scale_to(selection.focus, longest);
    patch_map(lab, s.map, {"tokens.norms", row_of(n.norms, level), scale, false, "‖z‖"}, selection);
    for (const int token : n.levels[static_cast<std::size_t>(level)].outliers) {
        const Rect cell = cell_rect(s.map, {c.grid_height(), c.grid_width()},
                                    {c.patch_of(token) / c.grid_width(), c.patch_of(token) % c.grid_width()});
        scene.canvas.ring(cell.centre(), cell.width() * 0.36F, theme.palette.danger, theme.px(3));
    }
    bar_of_both(lab, s.legend,
                {scale, scene.ui.text("tokens.norms_caption", {{"level", std::to_string(level)}}),
                 scene.ui.text(selection.focus.scope == Scope::fixed ? "scope.fixed" : "tokens.this_level")});

    const Rect& r = s.strip;
    const float line = scene.canvas.measure("", Font::caption).y + theme.px(4), gap = theme.px(10);
    const float part = (r.height() - 2 * gap) / 3;
    const int token = selection.focus.token;
    const double length =
        static_cast<double>(n.norms(static_cast<std::size_t>(level), static_cast<std::size_t>(token)));
    const std::string name = short_token_name(scene.ui, scene.now, token);
    std::string lines = scene.ui.text("tokens.lengths");
    if (token != c.first_of(TokenKind::class_token)) lines += ", {strong|" + name + "}";
    text_block(scene, {r.x0, r.y0, r.x1, r.y0 + line}, lines, Font::caption);
    draw_lengths(lab, {r.x0, r.y0 + line, r.x1, r.y0 + part}, level, selection);
    const double high = static_cast<double>(scale.high);
    const Histogram h = histogram(patches, 24, 0, high);
    text_line(scene, {r.x0, r.y0 + part + gap}, r.width(),
              scene.ui.text("tokens.histogram", {{"level", std::to_string(level)}}), Font::caption,
              theme.palette.muted);
    const TokenNorms::Level& own = n.levels[static_cast<std::size_t>(level)];
    const double bound = static_cast<double>(own.median + outlier_reach * own.deviation);
    const bool bounded = own.deviation > 0 && bound < high;
    const Rect bars{r.x0, r.y0 + part + gap + line, r.x1, r.y0 + 2 * part + gap};
    const double most = std::max(1.0, *std::max_element(h.heights.begin(), h.heights.end()));
    Plot plot(scene.canvas, scene.ui, bars, {0, high, "‖z‖"}, {0, most * headroom(scene, bars, bounded ? 2 : 1), {}});
    plot.bars({h.edges, h.heights, theme.palette.residual, scene.ui.text("tokens.patches")});
    scene.ui.probe.mark("tokens.histogram.top", {plot.area().x0, plot.y_of(most), plot.area().x1, plot.area().y1},
                        most);
    if (length < high)
        named_marker(scene, plot, {length, theme.palette.text, name + " " + number_text(length)},
                     "tokens.histogram.chosen");
    scene.ui.probe.mark("tokens.chosen", plot.area(), length, name);
    if (bounded)
        named_marker(scene, plot, {bound, theme.palette.danger, scene.ui.text("tokens.bound"), 1},
                     "tokens.histogram.bound");
    tell_outliers(lab, {r.x0, r.y0 + 2 * (part + gap), r.x1, r.y1}, level);
}

Comparison compare_nothing(const LabPair& p) { return no_comparison(p, "difference.axes"); }

int level_in(const LabRun& run) { return token_level(run.focus, config_in(run).blocks); }

Comparison compare_similarity(const LabPair& p) {
    Comparison all;
    const std::string token = short_token_name(p.ui, p.a.now, p.a.focus.token);
    const std::string title =
        p.ui.text("tokens.similarity_caption", {{"token", token}, {"level", std::to_string(level_in(p.a))}});
    add_tokens(
        p, all,
        both_runs(p, compared_tokens(p.scene, p.selection, "difference.similarity", title),
                  [](const LabRun& run) { return cosines_to(run.now.trace.z(level_in(run)), run.focus.token); }));
    return all;
}

Comparison compare_norms(const LabPair& p) {
    Comparison all;
    const std::string title = p.ui.text("tokens.norms_caption", {{"level", std::to_string(level_in(p.a))}});
    add_tokens(p, all,
               both_runs(p, compared_tokens(p.scene, p.selection, "difference.norms", title),
                         [](const LabRun& run) { return row_norms(run.now.trace.z(level_in(run))); }));
    return all;
}

Comparison compare_positions(const LabPair& p) {
    Comparison all;
    add_tokens(
        p, all,
        both_runs(p, compared_patches(p.scene, p.selection, "difference.positions", p.ui.text("difference.positions")),
                  [](const LabRun& run) {
                      const Tensor2& similar = *run.now.position_similarity;
                      const int patch = std::max(0, config_in(run).patch_of(run.focus.token));
                      return similar.size() == 0 ? Numbers() : row_numbers(similar, patch);
                  }));
    return all;
}

/// Adapts a figure without what-ifs.
template <void (*figure)(const LabScene&, Selection&)>
void drawn(const LabScene& lab, Selection& selection, WhatIfs&) {
    figure(lab, selection);
}

constexpr TokenRow token_figures[] = {
    {.figure = TokenFigure::positions,
     .draw = [](const LabScene& lab, Selection& selection,
                WhatIfs& what_ifs) { position_view(lab.scene, selection, what_ifs); },
     .compared = compare_positions,
     .by_level = false},
    {.figure = TokenFigure::filters,
     .draw = [](const LabScene& lab, Selection&, WhatIfs&) { draw_filters(lab); },
     .compared = compare_nothing,
     .of_a_token = false,
     .by_level = false},
    {.figure = TokenFigure::similarity, .draw = drawn<draw_similarity>, .compared = compare_similarity},
    {.figure = TokenFigure::components, .draw = drawn<draw_components>, .compared = compare_nothing},
    {.figure = TokenFigure::norms, .draw = drawn<draw_norms>, .compared = compare_norms, .by_scope = true},
};

}  // namespace

const TokenRow& row_of(TokenFigure figure) {
    const auto* const row = std::ranges::find(token_figures, figure, &TokenRow::figure);
    assert(row != std::end(token_figures));
    return *row;
}

void tokens_view(const LabScene& lab, Selection& selection, WhatIfs& what_ifs) {
    row_of(selection.focus.lab.figure).draw(lab, selection, what_ifs);
}

Comparison compare_token_figures(const LabPair& p) { return row_of(p.a.focus.lab.figure).compared(p); }

}  // namespace vitrine
