#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <functional>
#include <numeric>
#include <optional>

#include "app/rooms/figures/figures.h"
#include "app/rooms/laboratory/cause_figures.h"
#include "app/rooms/laboratory/laboratory.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/canvas.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/heatmap.h"
#include "app/ui/widgets/hot_area.h"
#include "app/ui/widgets/number.h"
#include "app/ui/widgets/plot.h"
#include "app/ui/widgets/rich_text.h"
#include "app/workspace/over_images.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "core/measures/analysis.h"
#include "core/measures/importance.h"
#include "core/measures/patching.h"
#include "core/measures/perturbation.h"
#include "core/vit/experiment.h"

namespace vitrine {

namespace {

constexpr float height_of_bar = 64, widest_cell = 120, highest_cell = 96;  // px at scale 1

/// Cells of a map whose rows are blocks, with the numbers of both axes; `parts` is their word.
struct CauseGrid {
    Rect cells;
    GridSize size;

    Rect cell(int row, int column) const { return cell_rect(cells, size, {row, column}); }
};

/// Number of cells from one numbered cell to the next, so that the numbers do not touch.
int step_of_numbers(float needed, float cell) { return std::max(1, static_cast<int>(std::ceil(needed / cell))); }

CauseGrid grid_of_blocks(const Scene& scene, Rect rect, GridSize size, const std::string& parts) {
    const Ui& ui = scene.ui;
    const Theme& theme = ui.theme;
    const auto width_of = [&](int i) { return scene.canvas.measure(ui.ordinal(i), Font::caption).x; };
    const float line = scene.canvas.measure("", Font::caption).y, gap = theme.px(6);
    const float left = width_of(size.rows - 1) + gap;
    text_line(scene, {rect.x0, rect.y0}, rect.width(), ui.text("causes.axes", {{"parts", parts}}), Font::caption,
              theme.palette.muted);
    const float x0 = rect.x0 + left, y0 = rect.y0 + 2 * line + gap;
    const float width =
                    std::floor(std::min((rect.x1 - x0) / static_cast<float>(size.columns), theme.px(widest_cell)) * 8) /
                    8,
                height = std::min((rect.y1 - y0) / static_cast<float>(size.rows), theme.px(highest_cell));
    const CauseGrid grid{
        {x0, y0, x0 + width * static_cast<float>(size.columns), y0 + height * static_cast<float>(size.rows)}, size};
    const TextStyle style{Font::caption, theme.palette.muted, Align::centre};
    for (int row = 0; row < size.rows; row += step_of_numbers(line, height))
        scene.canvas.text({x0 - gap, grid.cell(row, 0).centre().y - line / 2}, ui.ordinal(row),
                          {Font::caption, style.color, Align::right});
    const float needed = width_of(size.columns - 1) + gap;
    if (size.columns <= 64)
        for (int column = 0; column < size.columns; column += step_of_numbers(needed, width))
            scene.canvas.text({grid.cell(0, column).centre().x, y0 - line - gap / 2}, ui.ordinal(column), style);
    return grid;
}

void draw_heat(const LabScene& lab, const CauseGrid& grid, const Tensor2& values, const ColourScale& scale) {
    lab.scene.canvas.heat_map(grid.cells, {values.data(), grid.size.rows, grid.size.columns, scale});
    lab.scene.canvas.stroke(grid.cells, lab.scene.ui.theme.palette.line, lab.scene.ui.theme.px(1));
}

float largest_size(std::span<const float> values) {
    float most = 0;
    for (const float x : values) most = std::max(most, std::abs(x));
    return most;
}

std::string class_of(const LabScene& lab, int index) { return class_name(lab.scene.ui, *lab.scene.now.model, index); }

/// A part that can be removed: a head, or a block's MLP.
struct RemovablePart {
    int block = 1;
    std::optional<int> head;  // none: the MLP

    std::string id(const std::string& map) const {
        return head ? map + ".head." + std::to_string(block) + "." + std::to_string(*head)
                    : map + ".mlp." + std::to_string(block);
    }
    std::string name(const Ui& ui) const {
        return head ? head_name(ui, block, *head) : ui.text("causes.mlp", {{"block", ui.ordinal(block - 1)}});
    }
    Intervention removal() const { return head ? remove_head(block, *head) : remove_mlp(block); }
    float value_in(const Tensor2& heads, std::span<const float> mlps) const {
        const auto l = static_cast<std::size_t>(block - 1);
        return head ? heads(l, static_cast<std::size_t>(*head)) : mlps[l];
    }
};

/// A number for each head and each MLP, and how it is told.
struct MapOfParts {
    const Tensor2& heads;         // (L, h)
    std::span<const float> mlps;  // (L)
    ColourScale scale;
    std::string words, short_words;
    std::string id = "causes";
    std::function<std::vector<std::string>(const RemovablePart&)> told;  // its numbers, a line each
};

/// One removable part in its cell: struck out if it is off.
void draw_part(const LabScene& lab, Rect cell, const RemovablePart& part, const MapOfParts& map,
               const WhatIfs& what_ifs) {
    const Scene& scene = lab.scene;
    const Theme& theme = scene.ui.theme;
    if (contains(what_ifs, part.removal())) hatch(scene.canvas, cell, theme.palette.muted, theme.px(8));
    scene.ui.probe.mark(part.id(map.id), cell, static_cast<double>(part.value_in(map.heads, map.mlps)));
}

/// Names the part under the pointer; a click switches it off or on.
void point_at_part(const LabScene& lab, const Hit& hit, const RemovablePart& part, std::vector<std::string> told,
                   Selection& selection, WhatIfs& what_ifs) {
    const Ui& ui = lab.scene.ui;
    if (part.head) selection.hover_head(*part.head, part.block);
    told.insert(told.begin(), part.name(ui));
    told.push_back(ui.text(contains(what_ifs, part.removal()) ? "switch.on" : "switch.off"));
    readout(ui, told);
    if (hit.clicked) toggle(what_ifs, part.removal());
    if (hit.menu && part.head) selection.ask_menu({{}, Pick{part.block, *part.head, {}}});
}

/// The margin without a part of this run.
std::vector<std::string> fall_told(const LabScene& lab, const RemovablePart& part) {
    const Ui& ui = lab.scene.ui;
    const Importance& i = *lab.measured.importance;
    const double fall = static_cast<double>(part.value_in(i.heads, i.mlps)), whole = i.margin;
    std::vector<std::string> lines = {ui.text(
        "causes.told",
        {{"before", number_text(whole)}, {"after", number_text(whole - fall)}, {"change", signed_text(-fall)}})};
    if (part.head && lab.measured.gradient_importance)
        lines.push_back(ui.text(
            "causes.told_gradient",
            {{"value", number_text(static_cast<double>(part.value_in(*lab.measured.gradient_importance, {})))}}));
    return lines;
}

/// Mean and deviation of a part's fall over images.
std::vector<std::string> mean_told(const LabScene& lab, const RemovablePart& part) {
    const Ui& ui = lab.scene.ui;
    const ImportanceOver& over = *lab.measured.importance_over;
    std::vector<std::string> lines = {ui.text(
        "causes.told_mean",
        {{"mean", number_text(static_cast<double>(part.value_in(over.heads, over.mlps)))},
         {"deviation", number_text(static_cast<double>(part.value_in(over.heads_deviation, over.mlps_deviation)))},
         {"count", count_text(static_cast<std::int64_t>(over.numbers.count()))}})};
    if (part.head)
        lines.push_back(ui.text("causes.told_gradient",
                                {{"value", number_text(static_cast<double>(part.value_in(over.gradient, {})))}}));
    return lines;
}

/// A map of the heads, and of the MLPs in a column of their own.
void draw_parts(const LabScene& lab, Rect rect, const MapOfParts& map, Selection& selection, WhatIfs& what_ifs) {
    const Scene& scene = lab.scene;
    const Ui& ui = scene.ui;
    const Theme& theme = ui.theme;
    const Config& c = scene.now.model->config;
    const float apart = theme.px(10), bar = theme.px(height_of_bar);
    const Rect room{rect.x0, rect.y0, rect.x1 - apart, rect.y1 - bar};
    // The MLPs' column is as wide as a head's.
    const float narrow = room.width() * static_cast<float>(c.heads) / static_cast<float>(c.heads + 1);
    const CauseGrid grid = grid_of_blocks(scene, {room.x0, room.y0, room.x0 + narrow, room.y1}, {c.blocks, c.heads},
                                          ui.text("causes.head"));
    draw_heat(lab, grid, map.heads, map.scale);
    const float x = grid.cells.x1 + apart,
                width = std::min(grid.cells.width() / static_cast<float>(c.heads), rect.x1 - x);
    const CauseGrid column{{x, grid.cells.y0, x + width, grid.cells.y1}, {c.blocks, 1}};
    scene.canvas.heat_map(column.cells, {map.mlps.data(), c.blocks, 1, map.scale});
    scene.canvas.stroke(column.cells, theme.palette.line, theme.px(1));
    const float line = scene.canvas.measure("", Font::caption).y;
    scene.canvas.text({column.cells.x0, column.cells.y0 - line - theme.px(3)}, ui.text("map.mlp"),
                      {Font::caption, theme.palette.muted, Align::left});
    for (int block = 1; block <= c.blocks; ++block) {
        for (int head = 0; head < c.heads; ++head)
            draw_part(lab, grid.cell(block - 1, head), {block, head}, map, what_ifs);
        draw_part(lab, column.cell(block - 1, 0), {block, {}}, map, what_ifs);
    }
    const auto point = [&](const std::string& id, const CauseGrid& at) {
        const Hit hit = hot_area(ui, id, at.cells, map.words, {at.size.rows, at.size.columns});
        const auto cell = hit.at ? cell_at(at.cells, at.size, *hit.at) : std::nullopt;
        if (!cell) return;
        outline_cell(scene.canvas, ui, at.cell(cell->row, cell->column), theme.palette.accent);
        const RemovablePart part{cell->row + 1, &at == &grid ? std::optional(cell->column) : std::nullopt};
        point_at_part(lab, hit, part, map.told(part), selection, what_ifs);
    };
    point(map.id + ".heads", grid);
    point(map.id + ".mlps", column);
    colour_bar(scene.canvas, ui, {rect.x0, grid.cells.y1 + theme.px(10), rect.x1, rect.y1},
               {map.scale, map.words, range_words(scene, ""), map.short_words});
}

/// The scale of falls, orange where the margin falls and blue where it rises; a few parts set the range.
ColourScale scale_of_falls(Selection& selection, const Tensor2& heads, std::span<const float> mlps) {
    const float own = std::max({largest_size(heads), largest_size(mlps), 0.01F});
    const float reach = selection.reach("causes.falls", own);
    return {ColourMap::diverging, -reach, reach, Curve::root};
}

/// The importance of the heads by one backward pass.
void draw_gradient(const LabScene& lab, Rect rect, Selection& selection, WhatIfs& what_ifs) {
    const Scene& scene = lab.scene;
    const Ui& ui = scene.ui;
    const Tensor2& values = *lab.measured.gradient_importance;
    const Config& c = scene.now.model->config;
    const float reach = selection.reach("causes.gradient", std::max(largest_size(values), 1e-6F));
    const ColourScale scale{ColourMap::sequential, 0, reach};
    const CauseGrid grid = grid_of_blocks(scene, {rect.x0, rect.y0, rect.x1, rect.y1 - ui.theme.px(height_of_bar)},
                                          {c.blocks, c.heads}, ui.text("causes.head"));
    draw_heat(lab, grid, values, scale);
    const std::string words = ui.text("causes.gradient");
    const Hit hit = hot_area(ui, "causes.gradients", grid.cells, words, {c.blocks, c.heads});
    if (const auto cell = hit.at ? cell_at(grid.cells, grid.size, *hit.at) : std::nullopt) {
        outline_cell(scene.canvas, ui, grid.cell(cell->row, cell->column), ui.theme.palette.accent);
        const RemovablePart part{cell->row + 1, cell->column};
        point_at_part(lab, hit, part, fall_told(lab, part), selection, what_ifs);
    }
    colour_bar(scene.canvas, ui, {rect.x0, grid.cells.y1 + ui.theme.px(10), rect.x1, rect.y1},
               {scale, words, range_words(scene, ""), ui.text("causes.gradient_short")});
}

/// The part whose removal costs most; of the heads alone if there are no MLPs.
RemovablePart most_important(const Tensor2& heads, std::span<const float> mlps, const Config& c) {
    RemovablePart most{1, 0};
    for (int block = 1; block <= c.blocks; ++block)
        for (int head = mlps.empty() ? 0 : -1; head < c.heads; ++head) {
            const RemovablePart part{block, head < 0 ? std::nullopt : std::optional(head)};
            if (part.value_in(heads, mlps) > most.value_in(heads, mlps)) most = part;
        }
    return most;
}

/// How well two maps of heads agree about which ones matter, whatever the sign.
double agreement_of(const Tensor2& falls, const Tensor2& gradient) {
    std::vector<float> sizes(falls.size());
    std::ranges::transform(falls, sizes.begin(), [](float x) { return std::abs(x); });
    return rank_correlation(sizes, {gradient.data(), gradient.size()});
}

void importance_figure(const LabScene& lab, Selection& selection, WhatIfs& what_ifs) {
    if (!lab.measured.importance || !lab.measured.gradient_importance) return say_missing(lab);
    const Ui& ui = lab.scene.ui;
    const Importance& i = *lab.measured.importance;
    const RemovablePart most = most_important(i.heads, i.mlps, lab.scene.now.model->config);
    const double agreement = agreement_of(i.heads, *lab.measured.gradient_importance);
    const auto named = [&](const char* key, const RemovablePart& part) {
        return ui.text(key, {{"part", part.name(ui)},
                             {"change", number_text(static_cast<double>(part.value_in(i.heads, i.mlps)))}});
    };
    std::string parts = named("causes.most", most);
    if (!most.head) parts += named("causes.most_head", most_important(i.heads, {}, lab.scene.now.model->config));
    const Rect above = words_below(lab, "causes.agreement",
                                   ui.text("causes.numbers", {{"class", class_of(lab, i.chosen)},
                                                              {"margin", number_text(i.margin)},
                                                              {"parts", parts},
                                                              {"rank", number_text(agreement)}}),
                                   agreement);
    const MapOfParts falls{i.heads,
                           i.mlps,
                           scale_of_falls(selection, i.heads, i.mlps),
                           ui.text("causes.fall", {{"class", class_of(lab, i.chosen)}}),
                           ui.text("causes.fall_short"),
                           "causes",
                           [&](const RemovablePart& part) { return fall_told(lab, part); }};
    draw_parts(lab, columns(above, 0, 0.52F), falls, selection, what_ifs);
    draw_gradient(lab, columns(above, 0.57F, 1), selection, what_ifs);
}

/// Mean and standard deviation of the importance over images.
void importance_over_figure(const LabScene& lab, Selection& selection, WhatIfs& what_ifs) {
    const ImportanceOver* const over = lab.measured.importance_over.get();
    if (over == nullptr || over->numbers.count() == 0) return say_missing(lab);
    const Ui& ui = lab.scene.ui;
    const RemovablePart most = most_important(over->heads, over->mlps, lab.scene.now.model->config);
    const double agreement = agreement_of(over->heads, over->gradient);
    const auto number = [&](const Tensor2& heads, const std::vector<float>& mlps) {
        return number_text(static_cast<double>(most.value_in(heads, mlps)));
    };
    const std::string words =
        ui.text("causes.over_numbers", {{"images", tried_words(ui, over->images)},
                                        {"part", most.name(ui)},
                                        {"mean", number(over->heads, over->mlps)},
                                        {"deviation", number(over->heads_deviation, over->mlps_deviation)},
                                        {"rank", number_text(agreement)}});
    const Rect above = words_below(lab, "causes.over", words, static_cast<double>(over->numbers.count()));
    MapOfParts map{over->heads,
                   over->mlps,
                   scale_of_falls(selection, over->heads, over->mlps),
                   ui.text("causes.mean"),
                   ui.text("causes.mean_short"),
                   "causes",
                   [&](const RemovablePart& part) { return mean_told(lab, part); }};
    draw_parts(lab, columns(above, 0, 0.47F), map, selection, what_ifs);
    const float most_deviation =
        std::max({largest_size(over->heads_deviation), largest_size(over->mlps_deviation), 0.01F});
    const ColourScale spread{ColourMap::sequential, 0, selection.reach("causes.deviation", most_deviation)};
    const MapOfParts deviation{over->heads_deviation,       over->mlps_deviation, spread,  ui.text("causes.deviation"),
                               ui.text("causes.deviation"), "causes.deviation",   map.told};
    draw_parts(lab, columns(above, 0.53F, 1), deviation, selection, what_ifs);
}

/// A cell of patching in words.
std::string place_of_cell(const LabScene& lab, int block, int part) {
    const Ui& ui = lab.scene.ui;
    if (lab.measured.site == PatchSite::head) return head_name(ui, block, part);
    return ui.text("causes.place", {{"block", ui.ordinal(block - 1)}, {"token", token_name(ui, lab.scene.now, part)}});
}

/// Why there is no map; empty if there is one, or will be.
std::string no_patching(const LabScene& lab) {
    const Ui& ui = lab.scene.ui;
    const OtherRun* const other = lab.scene.other;
    if (lab.scene.now.model->config.classes < 2) return ui.text("patching.classes");
    if (other == nullptr) return ui.text("patching.alone");
    if (other->now.model != lab.scene.now.model) return ui.text("patching.models");
    if (!lab.measured.patching || lab.measured.patching->logits.differ()) return "";
    const PatchedLogits& m = lab.measured.patching->logits;
    return ui.text("patching.same", {{"chosen", class_of(lab, m.chosen)}, {"other", class_of(lab, m.other)}});
}

/// The table block × token or block × head; a click chooses block and token, or head.
void draw_returned(const LabScene& lab, Rect rect, const ColourScale& scale, Selection& selection) {
    const Scene& scene = lab.scene;
    const Ui& ui = scene.ui;
    const Theme& theme = ui.theme;
    const PatchingMap& map = *lab.measured.patching;
    const bool heads = lab.measured.site == PatchSite::head;
    const int blocks = static_cast<int>(map.returned.shape()[0]), parts = static_cast<int>(map.returned.shape()[1]);
    const CauseGrid grid =
        grid_of_blocks(scene, rect, {blocks, parts}, ui.text(heads ? "causes.head" : "causes.token"));
    draw_heat(lab, grid, map.returned, scale);
    if (const int whole = map.done / parts; whole < blocks)
        hatch(scene.canvas, {grid.cells.x0, grid.cell(whole, 0).y0, grid.cells.x1, grid.cells.y1}, theme.palette.muted,
              theme.px(8));
    const Focus& focus = selection.focus;
    if (const int part = heads ? focus.head : focus.token; part < parts && focus.block <= blocks)
        outline_cell(scene.canvas, ui, grid.cell(focus.block - 1, part), theme.palette.text);
    const Hit hit = hot_area(ui, "patching.table", grid.cells, ui.text("patching.caption"), {blocks, parts});
    const auto cell = hit.at ? cell_at(grid.cells, grid.size, *hit.at) : std::nullopt;
    if (!cell) return;
    const double value =
        static_cast<double>(map.returned(static_cast<std::size_t>(cell->row), static_cast<std::size_t>(cell->column)));
    outline_cell(scene.canvas, ui, grid.cell(cell->row, cell->column), theme.palette.accent);
    readout(ui, std::vector<std::string>{place_of_cell(lab, cell->row + 1, cell->column),
                                         ui.text("patching.told", {{"value", number_text(value)}})});
    ui.probe.mark("patching.told", grid.cell(cell->row, cell->column), value);
    if (!heads) selection.hover_token(cell->column);
    if (!hit.clicked) return;
    selection.focus.block = cell->row + 1;
    (heads ? selection.focus.head : selection.focus.token) = cell->column;
}

void patching_figure(const LabScene& lab, Selection& selection) {
    const Scene& scene = lab.scene;
    const Ui& ui = scene.ui;
    if (const std::string why = no_patching(lab); !why.empty()) {
        say(lab, why);
        ui.probe.mark("patching.refused", scene.area, 0, why);
        return;
    }
    if (!lab.measured.patching) return say_missing(lab);
    const PatchingMap& map = *lab.measured.patching;
    const int parts = static_cast<int>(map.returned.shape()[1]);
    const auto most = static_cast<int>(std::ranges::max_element(map.returned) - map.returned.begin());
    const Rect above = words_below(
        lab, "patching.done",
        ui.text("patching.numbers", {{"image", image_title(ui.text, *lab.measured.patched_from->image)},
                                     {"class", class_of(lab, map.logits.chosen)},
                                     {"other", class_of(lab, map.logits.other)},
                                     {"clean", number_text(map.logits.clean)},
                                     {"plain", number_text(map.logits.plain)},
                                     {"done", count_text(map.done)},
                                     {"total", count_text(map.total)},
                                     {"place", place_of_cell(lab, most / parts + 1, most % parts)},
                                     {"share", number_text(static_cast<double>(map.returned.data()[most]))}}),
        static_cast<double>(map.done) / map.total);
    const float reach = selection.reach("causes.patching", std::max(largest_size(map.returned), 0.1F));
    const ColourScale scale{ColourMap::diverging, -reach, reach, Curve::root};  // a few parts set the range
    const bool heads = lab.measured.site == PatchSite::head;
    const float bar = ui.theme.px(height_of_bar), gap = ui.theme.px(8);
    const float share = heads ? 1.0F : 0.5F;
    const Rect table{above.x0, above.y0, above.x1, above.y0 + (above.height() - bar) * share - gap};
    draw_returned(lab, table, scale, selection);
    const Rect strip{above.x0, table.y1 + gap, above.x1, table.y1 + gap + bar};
    colour_bar(scene.canvas, ui, strip, {scale, ui.text("patching.caption"), range_words(scene, "")});
    const int block = std::min(selection.focus.block, static_cast<int>(map.returned.shape()[0]));
    if (heads || above.y1 - strip.y1 < ui.theme.px(60)) return;
    // The chosen block's row, where the patches are in the image.
    const Rect below{above.x0, strip.y1 + gap, above.x1, above.y1};
    const float line =
        text_line(scene, {below.x0, below.y0}, below.width(),
                  ui.text("patching.block", {{"block", ui.ordinal(block - 1)}}), Font::caption, ui.theme.palette.muted);
    const Rect figure = fit({below.x0, below.y0 + line + gap / 2, below.x1, below.y1}, grid_aspect(lab));
    const Rect place{below.x0, figure.y0, below.x0 + figure.width(), figure.y1};
    patch_map(lab, place,
              {"patching.map", scene.now.model->config.patches_of(row_of(map.returned, block - 1)), scale, false, "R"},
              selection);
}

/// The row of a way and a filling among the curves.
std::size_t row_of_curves(Perturbation way, std::size_t filling) {
    return static_cast<std::size_t>(way) * std::size(perturbation_fillings) + filling;
}

/// Rankings from the best to the worst by their areas, as they are shown: the smallest for patches that go, the largest
/// for those that come.
std::vector<std::size_t> best_first(const PerturbationCurves& all, Perturbation way, std::size_t filling) {
    std::vector<std::size_t> order(all.areas.shape()[1]);
    std::iota(order.begin(), order.end(), std::size_t{0});
    const std::size_t row = row_of_curves(way, filling);
    std::ranges::stable_sort(order, {}, [&](std::size_t r) {
        const double shown = std::round(1000 * static_cast<double>(all.areas(row, r)));
        return way == Perturbation::deletion ? shown : -shown;
    });
    return order;
}

std::string ranking_word(const Ui& ui, std::size_t ranking) {
    return ui.text(std::string("perturbation.") + ranking_names[ranking].name);
}

/// An area as it is shown.
std::string area_text(double area) { return fixed_text(area, 3); }

/// "relevance = occlusion · rollout": areas with the same digits count as equal.
std::string order_words(const Ui& ui, const PerturbationCurves& all, Perturbation way, std::size_t filling) {
    std::string words, before;
    for (const std::size_t r : best_first(all, way, filling)) {
        const std::string area = area_text(static_cast<double>(all.areas(row_of_curves(way, filling), r)));
        words += (words.empty() ? "" : area == before ? " = " : " · ") + ranking_word(ui, r);
        before = area;
    }
    return words;
}

/// The colours of the rankings, in their order.
using RankingColours = std::array<Color, std::size(ranking_names)>;

/// The curves of one filling.
void draw_curves(const LabScene& lab, Rect rect, Perturbation way, std::size_t which, const RankingColours& colours) {
    const Scene& scene = lab.scene;
    const Ui& ui = scene.ui;
    const PerturbationCurves& all = *lab.measured.perturbation;
    const std::string filling = name_in(cover_names, perturbation_fillings[which]);
    const std::size_t row = row_of_curves(way, which);
    const bool goes = way == Perturbation::deletion;
    const float line = text_line(scene, {rect.x0, rect.y0}, rect.width(),
                                 ui.text("perturbation.filling", {{"cover", ui.text("occlusion." + filling)}}),
                                 Font::caption, ui.theme.palette.muted);
    const int chosen = top_predictions(*scene.now.trace.head, 1).front().index;
    Plot plot(scene.canvas, ui, {rect.x0, rect.y0 + line + ui.theme.px(4), rect.x1, rect.y1},
              {0, 100, ui.text(goes ? "perturbation.axis" : "perturbation.axis_insertion")},
              {0, 1, "p(" + class_of(lab, chosen) + ")"});
    std::vector<double> x;
    for (std::size_t step = 0; step < all.curves.shape()[2]; ++step)
        x.push_back(100.0 * static_cast<double>(step) / perturbation_steps);
    for (std::size_t r = 0; r < colours.size(); ++r) {
        const std::vector<double> y(&all.curves(row, r, 0), &all.curves(row, r, 0) + x.size());
        plot.line({x, y, colours[r], ranking_word(ui, r)});
    }
    const Hit hit = hot_area(ui, "perturbation.plot." + filling, plot.area(), {}, Reach::along_axis);
    if (hit.at) plot.readout(*hit.at);
}

/// The areas under the curves of both fillings, a line for each ranking.
void draw_areas(const LabScene& lab, Rect rect, Perturbation way, const RankingColours& colours) {
    const Scene& scene = lab.scene;
    const Ui& ui = scene.ui;
    const Theme& theme = ui.theme;
    const PerturbationCurves& all = *lab.measured.perturbation;
    const float line = scene.canvas.measure("", Font::caption).y + theme.px(3), stroke = theme.px(18);
    const std::array ends = {rect.x0 + rect.width() * 0.72F, rect.x1};
    text_line(scene, {rect.x0, rect.y0}, rect.width() * 0.5F,
              ui.text(way == Perturbation::deletion ? "perturbation.area" : "perturbation.area_insertion"),
              Font::caption, theme.palette.muted);
    for (std::size_t i = 0; i < ends.size(); ++i)
        scene.canvas.text({ends[i], rect.y0},
                          ui.text(std::string("lab.cover.") + name_in(cover_names, perturbation_fillings[i])),
                          {Font::caption, theme.palette.muted, Align::right});
    for (std::size_t r = 0; r < colours.size(); ++r) {
        const float y = rect.y0 + line * static_cast<float>(r + 1);
        scene.canvas.line({rect.x0, y + line / 2}, {rect.x0 + stroke, y + line / 2}, colours[r], theme.px(3));
        text_line(scene, {rect.x0 + stroke + theme.px(6), y}, rect.width() * 0.5F - stroke, ranking_word(ui, r),
                  Font::caption);
        for (std::size_t i = 0; i < ends.size(); ++i) {
            const double area = static_cast<double>(all.areas(row_of_curves(way, i), r));
            scene.canvas.text({ends[i], y}, area_text(area), {Font::caption, theme.palette.text, Align::right});
            ui.probe.mark("perturbation.area." + std::string(name_in(cover_names, perturbation_fillings[i])) + "." +
                              ranking_names[r].name,
                          {ends[i] - theme.px(40), y, ends[i], y + line}, area);
        }
    }
}

/// Whether the probability stays near 1 with a filling, in whatever order patches are covered.
bool ranks_nothing(const PerturbationCurves& all, Perturbation way, std::size_t filling) {
    constexpr float near_one = 0.99F;
    const std::size_t row = row_of_curves(way, filling);
    for (std::size_t r = 0; r < all.areas.shape()[1]; ++r)
        if (all.areas(row, r) < near_one) return false;
    return true;
}

void perturbation_figure(const LabScene& lab, Perturbation way) {
    if (!lab.measured.perturbation) return say_missing(lab);
    const Ui& ui = lab.scene.ui;
    const Palette& palette = ui.theme.palette;
    const RankingColours colours = {palette.query, palette.key, palette.value, palette.mlp, palette.muted};
    static_assert(std::size(perturbation_fillings) == 2);
    const PerturbationCurves& all = *lab.measured.perturbation;
    const std::string first = order_words(ui, all, way, 0), second = order_words(ui, all, way, 1);
    const auto filling = [&](std::size_t i) {
        return ui.text(std::string("lab.cover.") + name_in(cover_names, perturbation_fillings[i]));
    };
    std::string words =
        first == second
            ? ui.text("perturbation.agree", {{"order", first}})
            : ui.text(
                  "perturbation.disagree",
                  {{"first", filling(0)}, {"first_order", first}, {"second", filling(1)}, {"second_order", second}});
    for (std::size_t i = 0; i < std::size(perturbation_fillings); ++i)
        if (ranks_nothing(all, way, i)) words += " " + ui.text("perturbation.flat", {{"filling", filling(i)}});
    const Rect above = words_below(lab, "perturbation.order", words, first == second ? 1 : 0);
    const float line = lab.scene.canvas.measure("", Font::caption).y + ui.theme.px(3);
    const float legend = line * static_cast<float>(colours.size() + 1), gap = ui.theme.px(14);
    const Rect plots{above.x0, above.y0, above.x1, above.y1 - legend - gap};
    for (std::size_t i = 0; i < 2; ++i)
        draw_curves(lab, columns(plots, i == 0 ? 0 : 0.52F, i == 0 ? 0.48F : 1), way, i, colours);
    draw_areas(lab, {above.x0, above.y1 - legend, above.x0 + std::min(above.width(), ui.theme.px(460)), above.y1}, way,
               colours);
}

constexpr CauseRow cause_figures[] = {
    {.figure = CauseFigure::importance,
     .draw =
         [](const LabScene& lab, Selection& selection, WhatIfs& what_ifs) {
             (selection.focus.lab.over == ImportanceScope::images ? importance_over_figure : importance_figure)(
                 lab, selection, what_ifs);
         },
     .controls = importance_controls,
     .compared = compare_importance,
     .grows = [](const Laboratory& lab) { return lab.over == ImportanceScope::images; }},
    {.figure = CauseFigure::pruning,
     .draw = [](const LabScene& lab, Selection&, WhatIfs& what_ifs) { pruning_figure(lab, what_ifs); },
     .controls = pruning_controls,
     .compared = compare_pruning,
     .grows = [](const Laboratory&) { return true; }},
    {.figure = CauseFigure::patching,
     .draw = [](const LabScene& lab, Selection& selection, WhatIfs&) { patching_figure(lab, selection); },
     .controls = patching_controls,
     .compared = compare_patching,
     .grows = [](const Laboratory&) { return true; },
     .patches = true},
    {.figure = CauseFigure::perturbation,
     .draw = [](const LabScene& lab, Selection& selection,
                WhatIfs&) { perturbation_figure(lab, selection.focus.lab.way); },
     .controls = perturbation_controls,
     .compared = compare_perturbation,
     .grows = [](const Laboratory&) { return false; }},
};

}  // namespace

const CauseRow& row_of(CauseFigure figure) {
    const auto* const row = std::ranges::find(cause_figures, figure, &CauseRow::figure);
    assert(row != std::end(cause_figures));
    return *row;
}

void causes_view(const LabScene& lab, Selection& selection, WhatIfs& what_ifs) {
    if (lab.scene.now.model->config.classes == 0) return say(lab, lab.scene.ui.text("lab.no_classes"));
    row_of(selection.focus.lab.cause).draw(lab, selection, what_ifs);
}

}  // namespace vitrine
