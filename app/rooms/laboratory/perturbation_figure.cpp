#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "app/rooms/figures/difference.h"
#include "app/rooms/figures/figures.h"
#include "app/rooms/laboratory/cause_figures.h"
#include "app/rooms/laboratory/instrument_table.h"
#include "app/rooms/laboratory/lab_difference.h"
#include "app/rooms/panels/choices.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/canvas.h"
#include "app/ui/widgets/hot_area.h"
#include "app/ui/widgets/number.h"
#include "app/ui/widgets/plot.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "core/measures/analysis.h"
#include "core/measures/perturbation.h"

namespace vitrine {

namespace {

/// The index, among the curves, of a way (deletion or insertion) and a filling.
std::size_t row_of_curves(Perturbation way, std::size_t filling) {
    return static_cast<std::size_t>(way) * std::size(perturbation_fillings) + filling;
}

/// Rankings from best to worst by their displayed areas: the smallest area is best for deletion, the largest for
/// insertion.
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

/// An area as it is displayed.
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

/// The range of the probability with a filling, over all rankings and steps.
float moved_by(const PerturbationCurves& all, Perturbation way, std::size_t filling) {
    const std::size_t count = all.curves.shape()[1] * all.curves.shape()[2];
    const float* const begin = &all.curves(row_of_curves(way, filling), 0, 0);
    const auto [least, most] = std::minmax_element(begin, begin + count);
    return *most - *least;
}

/// Which ranking is best, in words. A filling with which the probability hardly changes is not used to judge.
std::string ranking_words(const Ui& ui, const PerturbationCurves& all, Perturbation way) {
    constexpr float hardly = 0.1F;
    const std::array moved = {moved_by(all, way, 0), moved_by(all, way, 1)};
    const auto order = [&](std::size_t i) { return order_words(ui, all, way, i); };
    const auto name = [&](std::size_t i) {
        return ui.text(std::string("lab.cover.") + name_in(cover_names, perturbation_fillings[i]));
    };
    const auto points = [](float p) { return fixed_text(100 * static_cast<double>(p), 1); };
    if (std::ranges::max(moved) < hardly)
        return ui.text("perturbation.both_flat", {{"moved", points(std::ranges::max(moved))}});
    for (const std::size_t flat : {0U, 1U})
        if (moved[flat] < hardly)
            return ui.text("perturbation.one_flat", {{"flat", name(flat)},
                                                     {"moved", points(moved[flat])},
                                                     {"live", name(1 - flat)},
                                                     {"order", order(1 - flat)}});
    if (order(0) == order(1)) return ui.text("perturbation.agree", {{"order", order(0)}});
    return ui.text("perturbation.disagree",
                   {{"first", name(0)}, {"first_order", order(0)}, {"second", name(1)}, {"second_order", order(1)}});
}

void perturbation_figure(const LabScene& lab, Selection& selection, WhatIfs&) {
    const Perturbation way = selection.focus.lab.way;
    if (!lab.measured.perturbation) return report_missing(lab);
    const Ui& ui = lab.scene.ui;
    const Palette& palette = ui.theme.palette;
    const RankingColours colours = {palette.query, palette.key, palette.value, palette.mlp, palette.muted};
    static_assert(std::size(perturbation_fillings) == 2);
    const PerturbationCurves& all = *lab.measured.perturbation;
    const bool same = order_words(ui, all, way, 0) == order_words(ui, all, way, 1);
    const Rect above = words_below(lab, "perturbation.order", ranking_words(ui, all, way), same ? 1 : 0);
    const float line = lab.scene.canvas.measure("", Font::caption).y + ui.theme.px(3);
    const float legend = line * static_cast<float>(colours.size() + 1), gap = ui.theme.px(14);
    const Rect plots{above.x0, above.y0, above.x1, above.y1 - legend - gap};
    for (std::size_t i = 0; i < 2; ++i)
        draw_curves(lab, columns(plots, i == 0 ? 0 : 0.52F, i == 0 ? 0.48F : 1), way, i, colours);
    draw_areas(lab, {above.x0, above.y1 - legend, above.x0 + std::min(above.width(), ui.theme.px(460)), above.y1}, way,
               colours);
}

void perturbation_controls(const LabControls& controls) {
    choice(controls.explanation.ui, "lab.way", perturbation_names, controls.explanation.selection.focus.lab.way);
}

/// The areas under the curves.
Comparison compare_perturbation(const LabPair& p) {
    Comparison all;
    const int rankings = static_cast<int>(std::size(ranking_names));
    ComparedNumbers areas{.id = "difference.areas",
                          .title = p.ui.text("perturbation.area"),
                          .name =
                              [&p, rankings](int i) {
                                  const Cover filling = perturbation_fillings[i / rankings];
                                  return p.ui.text(std::string("lab.cover.") + name_in(cover_names, filling)) + " · " +
                                         p.ui.text(std::string("perturbation.") + ranking_names[i % rankings].name);
                              },
                          .cells = {static_cast<int>(std::size(perturbation_fillings)), rankings}};
    all.add(both_runs(p, areas,
                      [count = areas.cells.rows * rankings](const LabRun& run) {
                          if (!run.measured.perturbation) return Numbers();
                          const Numbers own = all_numbers(run.measured.perturbation->areas);  // of both ways
                          const int first = static_cast<int>(run.focus.lab.way) * count;
                          return Numbers(own.begin() + first, own.begin() + first + count);
                      }),
            p.ui.text("difference.shapes"));
    return all;
}

}  // namespace

const CauseRow perturbation_row = {.figure = CauseFigure::perturbation,
                                   .draw = perturbation_figure,
                                   .controls = perturbation_controls,
                                   .compared = compare_perturbation,
                                   .grows = [](const Laboratory&) { return false; }};

}  // namespace vitrine
