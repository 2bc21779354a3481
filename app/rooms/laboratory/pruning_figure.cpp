#include <algorithm>
#include <cmath>

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
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/hot_area.h"
#include "app/ui/widgets/number.h"
#include "app/ui/widgets/plot.h"
#include "app/workspace/over_images.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "core/training/own_pictures.h"
#include "core/vit/experiment.h"

namespace vitrine {

namespace {

/// How the heads were ranked, in words.
std::string ranked_words(const Ui& ui, const Pruned& pruned) {
    const std::string by = std::string("pruning.by_") + name_in(head_ranking_names, pruned.ranking);
    return ui.text(by) + " · " +
           (pruned.ranked_by ? image_title(ui.text, *pruned.ranked_by) : ui.text("pruning.by_images"));
}

/// The number of heads at the start of a list that are switched off, up to the first head that is on.
int pruned_heads(const WhatIfs& what_ifs, std::span<const HeadPlace> order) {
    const auto on = std::ranges::find_if(
        order, [&](const HeadPlace& p) { return !contains(what_ifs, remove_head(p.block, p.head)); });
    return static_cast<int>(on - order.begin());
}

/// Switches the first `count` heads of a list off, and all others in the list on.
void prune_heads(WhatIfs& what_ifs, std::span<const HeadPlace> order, int count) {
    for (std::size_t i = 0; i < order.size(); ++i) {
        const Intervention removal = remove_head(order[i].block, order[i].head);
        if (contains(what_ifs, removal) != (static_cast<int>(i) < count)) toggle(what_ifs, removal);
    }
}

/// The share of correct answers as the least important heads are removed; a click on the curve removes that many.
void pruning_figure(const LabScene& lab, Selection&, WhatIfs& what_ifs) {
    const Pruned* const pruned = lab.measured.pruned.get();
    if (pruned == nullptr || pruned->curve.images == 0) return report_missing(lab);
    const Scene& scene = lab.scene;
    const Ui& ui = scene.ui;
    const std::vector<float> shares = pruned->curve.shares();
    const int heads = static_cast<int>(pruned->order.size()), off = pruned_heads(what_ifs, pruned->order);
    const auto share = [&](int n) { return percent_text(static_cast<double>(shares[static_cast<std::size_t>(n)])); };
    const bool labelled = pruned->curve.labelled > 0;
    const std::string key = std::string("pruning.") + (off > 0 ? "numbers" : "whole") + (labelled ? "" : "_unlabelled");
    const Rect above = words_below(lab, "pruning.numbers",
                                   ui.text(key, {{"off", count_text(off)},
                                                 {"all", count_text(heads)},
                                                 {"share", share(off)},
                                                 {"whole", share(0)},
                                                 {"none", share(heads)},
                                                 {"ranking", ranked_words(ui, *pruned)},
                                                 {"images", tried_words(ui, pruned->images)}}),
                                   static_cast<double>(shares[static_cast<std::size_t>(off)]));
    Plot plot(scene.canvas, ui, above, {0, static_cast<double>(heads), ui.text("pruning.axis"), true},
              {0, 1, ui.text(labelled ? "pruning.accuracy" : "pruning.agreement")});
    std::vector<double> x, y;
    for (std::size_t n = 0; n < shares.size(); ++n) {
        x.push_back(static_cast<double>(n));
        y.push_back(static_cast<double>(shares[n]));
    }
    plot.line({x, y, ui.theme.palette.accent, ui.text(labelled ? "pruning.accuracy" : "pruning.agreement")});
    if (off > 0) plot.marker(off, ui.theme.palette.text, count_text(off));
    const Hit hit = hot_area(ui, "pruning.plot", plot.area(), ui.text("pruning.click"), Reach::along_axis);
    if (!hit.at) return;
    plot.readout(*hit.at);
    const Rect area = plot.area();
    const auto at = static_cast<int>(std::lround((hit.at->x - area.x0) / area.width() * static_cast<float>(heads)));
    if (hit.clicked) prune_heads(what_ifs, pruned->order, std::clamp(at, 0, heads));
}

/// The slider for the number of least important heads that are off.
void pruning_slider(const LabControls& controls) {
    if (controls.measured == nullptr || !controls.measured->pruned) return;
    const Ui& ui = controls.explanation.ui;
    const std::vector<HeadPlace>& order = controls.measured->pruned->order;
    auto off = static_cast<float>(pruned_heads(controls.what_ifs, order));
    const auto words = [](float n) { return std::to_string(std::lround(n)); };
    if (slider(ui, {"lab.pruned", ui.text("lab.pruned"), ui.text("lab.pruned_tip"), {}},
               {0, static_cast<float>(order.size()), 1, words}, off))
        prune_heads(controls.what_ifs, order, static_cast<int>(std::lround(off)));
}

void pruning_controls(const LabControls& controls) {
    const Ui& ui = controls.explanation.ui;
    Laboratory& lab = controls.explanation.selection.focus.lab;
    pruning_slider(controls);
    choice(ui, "lab.ranking", head_ranking_names, lab.ranking);
    choice(ui, "lab.over", importance_scope_names, lab.over);
    images_controls(controls);
}

/// The share of correct answers by the number of heads removed.
Comparison compare_pruning(const LabPair& p) {
    Comparison all;
    all.add(both_runs(p,
                      {.id = "difference.pruning",
                       .title = p.ui.text("pruning.axis"),
                       .name = [](int off) { return std::to_string(off); }},
                      [](const LabRun& run) {
                          const auto& pruned = run.measured.pruned;
                          return pruned && pruned->curve.images > 0 ? pruned->curve.shares() : Numbers();
                      }),
            p.ui.text("difference.shapes"));
    return all;
}

}  // namespace

std::string tried_words(const Ui& ui, const TriedImages& images) {
    const std::string set = images.folder.empty() ? ui.text("images.drawn")
                                                  : ui.text("images.of", {{"folder", name_of_folder(images.folder)}});
    const auto counted = [](std::size_t n) { return count_text(static_cast<std::int64_t>(n)); };
    std::string words =
        ui.text("images.tried", {{"done", counted(images.tried)}, {"total", counted(images.total)}, {"set", set}});
    if (!images.unread.empty())
        words += " " +
                 ui.text("images.unread", {{"count", counted(images.unread.size())}, {"first", images.unread.front()}});
    return words;
}

const CauseRow pruning_row = {.figure = CauseFigure::pruning,
                              .draw = pruning_figure,
                              .controls = pruning_controls,
                              .compared = compare_pruning,
                              .grows = [](const Laboratory&) { return true; }};

}  // namespace vitrine
