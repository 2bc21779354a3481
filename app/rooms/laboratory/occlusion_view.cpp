#include <algorithm>
#include <cmath>

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
#include "core/measures/occlusion.h"

namespace vitrine {

namespace {

std::string cover_words(const Ui& ui, const OcclusionOptions& o) {
    const char* const keys[] = {"occlusion.mean", "occlusion.grey", "occlusion.blur", "occlusion.token"};
    return ui.text(keys[static_cast<std::size_t>(o.cover)]);
}

float largest_of(std::span<const float> drops) {
    float most = 0;
    for (const float x : drops) most = std::max(most, std::abs(x));
    return most;
}

/// The minimum reach of the colour scale, so that small changes stay pale.
float least_reach(Watched watched) { return watched == Watched::probability ? 0.01F : 0.1F; }

/// A cover's effect on the watched number in words: "p(cat) falls by 0.6 pp". `drop` is the map's value: a fall, or a
/// rise of the loss.
std::string effect_words(const Ui& ui, Watched watched, double drop, const std::string& name) {
    const bool rises = watched == Watched::loss ? drop > 0 : drop < 0;
    const double size = std::abs(drop);
    std::string amount =
        watched == Watched::probability ? share_change_text(size, ui.text("glossary.pp")) : number_text(size);
    if (amount.starts_with('+')) amount.erase(0, 1);
    return ui.text(
        rises ? "occlusion.rises" : "occlusion.falls",
        {{"what", ui.text(std::string("occlusion.what.") + name_in(watched_names, watched), {{"class", name}})},
         {"amount", amount}});
}

/// The effects of covering a patch on the class's probability, logit, margin and loss, in words.
std::string told_of_patch(const Ui& ui, const OcclusionMap& o, int patch) {
    const auto at = [&](const Tensor2& t) { return static_cast<double>(t.data()[patch]); };
    return ui.text("change.words", {{"probability", share_change_text(-at(o.drop), ui.text("glossary.pp"))},
                                    {"logit", signed_text(-at(o.logit))},
                                    {"margin", signed_text(-at(o.margin))},
                                    {"loss", signed_text(at(o.loss))}});
}

}  // namespace

void occlusion_view(const LabScene& lab, Selection& selection) {
    const Scene& scene = lab.scene;
    const Ui& ui = scene.ui;
    const Theme& theme = ui.theme;
    if (scene.now.model->config.classes == 0) return say(lab, ui.text("lab.no_classes"));
    if (!lab.measured.occlusion) return report_missing(lab);
    const OcclusionMap& o = *lab.measured.occlusion;
    const Config& c = scene.now.model->config;
    const GridSize grid{c.grid_height(), c.grid_width()};
    const Watched watched = selection.focus.lab.watched;
    const Tensor2& shown = o.of(watched);
    const std::span<const float> drops{shown.data(), shown.size()};
    const bool fixed = selection.focus.scope == Scope::fixed;
    const float largest = largest_of(drops), own = std::max(largest, least_reach(watched));
    const float reach = fixed ? selection.focus.lab.fixed_high : selection.reach("occlusion", own);
    const ColourScale scale{ColourMap::diverging, -reach, reach};

    const Rect& a = scene.area;
    const float bar = theme.px(64);
    const Rect figure = fit({a.x0, a.y0, a.x0 + a.width() * 0.56F, a.y1 - bar - theme.px(10)}, grid_aspect(lab));
    const Rect map{a.x0, a.y0, a.x0 + figure.width(), a.y0 + figure.height()};
    const std::string watched_words = name_in(watched_names, watched);
    patch_map(lab, map,
              {"occlusion.map", drops, scale, false, ui.text("occlusion.symbol." + watched_words),
               [&](int patch) { return told_of_patch(ui, o, patch); }},
              selection);
    for (std::size_t i = 0; i < o.counts.size(); ++i)
        if (o.counts[i] == 0)
            hatch(scene.canvas,
                  cell_rect(map, grid, {static_cast<int>(i) / grid.columns, static_cast<int>(i) % grid.columns}),
                  theme.palette.muted, theme.px(8));
    const std::string caption = ui.text("occlusion.caption." + watched_words,
                                        {{"class", class_in_words(ui, *scene.now.model, lab.measured.target.index)}});
    const char* const short_words = watched == Watched::loss ? "scale.orange_rise" : "scale.orange_drop";
    const Rect legend{map.x0, map.y1 + theme.px(8), std::max(map.x1, a.x0 + theme.px(300)), a.y1};
    const std::string symbol = ui.text("occlusion.symbol." + watched_words),
                      coloured = ui.text(short_words, {{"symbol", symbol}}),
                      scope = ui.text(fixed                                       ? "scope.fixed"
                                      : largest < reach && scene.other == nullptr ? "occlusion.scope_least"
                                                                                  : "occlusion.scope");
    const float needed =
        scene.canvas.measure(coloured, Font::caption).x + scene.canvas.measure(scope, Font::caption).x + theme.px(16);
    bar_of_both(
        lab, legend,
        {scale, ui.text("scale.orange", {{"caption", caption}}), scope, needed <= legend.width() ? coloured : symbol});

    const Rect right{std::max(map.x1, a.x0 + theme.px(300)) + theme.px(28), a.y0, a.x1, a.y1};
    const Rect picture = fit({right.x0, right.y0, right.x1, right.y0 + right.height() * 0.5F}, grid_aspect(lab));
    const Rect beside{right.x0, right.y0, right.x0 + picture.width(), right.y0 + picture.height()};
    scene.canvas.picture(beside, {scene.now.patched, {}, true});
    outline_patches(scene, beside, selection);
    const auto most =
        std::max_element(drops.begin(), drops.end(), [](float x, float y) { return std::abs(x) < std::abs(y); });
    const int token = c.token_of(static_cast<int>(most - drops.begin()));
    const std::string words = ui.text(
        "occlusion.numbers", {{"probability", probability_text(static_cast<double>(o.probability))},
                              {"done", count_text(o.done)},
                              {"total", count_text(o.total)},
                              {"other", count_text(o.other_answers)},
                              {"cover", cover_words(ui, lab.measured.covered)},
                              {"patch", token_name(ui, scene.now, token)},
                              {"effect", effect_words(ui, watched, static_cast<double>(*most),
                                                      class_name(ui, *scene.now.model, lab.measured.target.index))}});
    text_block(scene, {right.x0, beside.y1 + theme.px(14), right.x1, right.y1}, words);
    ui.probe.mark("occlusion.done", beside, o.total > 0 ? static_cast<double>(o.done) / o.total : 0, words);
}

}  // namespace vitrine
