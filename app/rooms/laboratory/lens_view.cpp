#include <algorithm>

#include "app/rooms/figures/figures.h"
#include "app/rooms/laboratory/laboratory.h"
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
#include "core/tensor/ops.h"

namespace vitrine {

namespace {

/// The classes with a curve: the target, its rival, and the most probable ones of the prediction.
std::vector<int> classes_drawn(const LabScene& lab) {
    constexpr std::size_t most = 4;
    std::vector<int> classes = {lab.measured.target.index};
    const auto add = [&](int c) {
        if (classes.size() < most && std::find(classes.begin(), classes.end(), c) == classes.end())
            classes.push_back(c);
    };
    if (lab.measured.target.against) add(*lab.measured.target.against);
    for (const Prediction& p : top_predictions(*lab.scene.now.trace.head, static_cast<int>(most))) add(p.index);
    return classes;
}

/// The classifier's prediction after each block, with the target's ranks below.
void draw_readout(const LabScene& lab, Rect rect, Selection& selection) {
    const Scene& scene = lab.scene;
    const Theme& theme = scene.ui.theme;
    const Tensor2 probabilities = softmax(*lab.measured.lens);
    const std::size_t levels = probabilities.shape()[0];
    const float line = scene.canvas.measure("", Font::caption).y + theme.px(4);
    const std::vector<int> classes = classes_drawn(lab);
    const Color colors[] = {theme.palette.accent, theme.palette.key, theme.palette.value, theme.palette.residual};
    float x = rect.x0;
    for (std::size_t i = 0; i < classes.size(); ++i) {
        const std::string name = class_name(scene.ui, *scene.now.model, classes[i]);
        const float width = scene.canvas.measure(name, Font::caption).x + theme.px(34);
        if (i > 0 && x + width > rect.x1) break;
        scene.canvas.fill({x, rect.y0 + line / 2 - theme.px(3), x + theme.px(14), rect.y0 + line / 2}, colors[i]);
        text_line(scene, {x + theme.px(19), rect.y0}, rect.x1 - x - theme.px(19), name, Font::caption);
        x += width;
    }
    float own = 0;
    for (const int c : classes)
        for (std::size_t l = 0; l < levels; ++l) own = std::max(own, probabilities(l, static_cast<std::size_t>(c)));
    const auto high = static_cast<double>(selection.reach("lens.plot", own));
    Plot plot(scene.canvas, scene.ui, {rect.x0, rect.y0 + line, rect.x1, rect.y1 - 2 * line},
              {0, static_cast<double>(levels - 1), scene.ui.text("lab.level_axis"), true},
              {0, high > 0.5 ? 1.0 : 1.1 * high, "p"});
    std::vector<double> level;
    for (std::size_t l = 0; l < levels; ++l) level.push_back(static_cast<double>(l));
    for (std::size_t i = classes.size(); i-- > 0;) {
        std::vector<double> p;
        for (std::size_t l = 0; l < levels; ++l)
            p.push_back(static_cast<double>(probabilities(l, static_cast<std::size_t>(classes[i]))));
        plot.line({level, p, colors[i], class_name(scene.ui, *scene.now.model, classes[i]), 2});
    }
    plot.marker(level_of(lab, selection.focus.lab), theme.palette.text, "");
    if (const Hit hit = hot_area(scene.ui, "lens.plot", plot.area(), {}, Reach::along_axis); hit.at)
        plot.readout(*hit.at);

    const std::vector<int> ranks = rank_through_depth(*lab.measured.lens, lab.measured.target.index);
    std::string words;
    for (const int rank : ranks) words += (words.empty() ? "" : " → ") + std::to_string(rank);
    words = scene.ui.text(
        "lens.ranks",
        {{"class", class_in_words(scene.ui, *scene.now.model, lab.measured.target.index)}, {"ranks", words}});
    if (const auto token = scene.now.model->config.first_of(TokenKind::class_token);
        token && scene.now.model->config.readout == Readout::class_token)
        words = token_name(scene.ui, scene.now, *token) + " · " + words;
    text_block(scene, {rect.x0, rect.y1 - 2 * line + theme.px(6), rect.x1, rect.y1}, words, Font::caption);
    scene.ui.probe.mark("lens.ranks", rect, ranks.back(), words);
}

/// The lens of every patch at the chosen level, enlarged.
void draw_patches(const LabScene& lab, Rect rect, const ColourScale& scale, Selection& selection) {
    const Scene& scene = lab.scene;
    const Theme& theme = scene.ui.theme;
    const TokenLens& lens = *lab.measured.token_lens;
    const int level = level_of(lab, selection.focus.lab);
    const float bar = theme.px(64);
    const Rect figure = fit({rect.x0, rect.y0, rect.x1, rect.y1 - bar - theme.px(8)}, grid_aspect(lab));
    const Rect map{rect.x0, rect.y0, rect.x0 + figure.width(), rect.y0 + figure.height()};
    const Config& c = scene.now.model->config;
    const auto at = static_cast<std::size_t>(level);
    const auto leader = [&](int patch) {
        const auto token = static_cast<std::size_t>(c.token_of(patch));
        return scene.ui.text(
            "lens.best", {{"class", class_in_words(scene.ui, *scene.now.model, lens.best[at][token])},
                          {"probability", probability_text(static_cast<double>(lens.best_probability(at, token)))}});
    };
    patch_map(lab, map, {"lens.map", c.patches_of(row_of(lens.probability, level)), scale, true, "p", leader},
              selection);
    bar_of_both(lab, {map.x0, map.y1 + theme.px(8), rect.x1, rect.y1},
                {scale,
                 scene.ui.text("lens.caption",
                               {{"class", class_in_words(scene.ui, *scene.now.model, lab.measured.target.index)},
                                {"level", std::to_string(level)}}),
                 scene.ui.text(selection.focus.scope == Scope::fixed ? "scope.fixed" : "scope.model_short")});
}

}  // namespace

void lens_view(const LabScene& lab, Selection& selection) {
    const Scene& scene = lab.scene;
    const Theme& theme = scene.ui.theme;
    if (scene.now.model->config.classes == 0) return say(lab, scene.ui.text("lab.no_classes"));
    if (!lab.measured.lens || !lab.measured.token_lens) return report_missing(lab);
    const TokenLens& lens = *lab.measured.token_lens;
    float high = 0;
    for (std::size_t l = 0; l < lens.probability.shape()[0]; ++l)
        for (const float p : scene.now.model->config.patches_of(row_of(lens.probability, static_cast<int>(l))))
            high = std::max(high, p);
    const ColourScale scale = scale_to(selection.focus, selection.reach("lens", high));
    const Rect& a = scene.area;
    const Config& c = scene.now.model->config;
    const int blocks = c.blocks;
    const float line = scene.canvas.measure("", Font::caption).y + theme.px(6), title = theme.px(10) + line;
    const Rect most{a.x0, a.y0 + a.height() * 0.62F + title, a.x1, a.y1};  // of the small maps
    const Rect top{a.x0, a.y0, a.x1, a.y1 - level_strip_height(lab, most, blocks + 1) - title};
    draw_readout(lab, columns(top, 0, 0.54F), selection);
    draw_patches(lab, columns(top, 0.58F, 1), scale, selection);

    text_line(scene, {a.x0, top.y1 + theme.px(10)}, a.width(), scene.ui.text("lens.strip"), Font::caption,
              theme.palette.muted);
    const auto clicked = level_strip(lab, {a.x0, top.y1 + title, a.x1, a.y1},
                                     {"lens.level", 0, blocks, level_of(lab, selection.focus.lab), "depth.level"},
                                     [&](int level, Rect map) {
                                         paint_patches(lab, map, c.patches_of(row_of(lens.probability, level)), scale);
                                         outline_patches(scene, map, selection);
                                     });
    if (clicked) selection.focus.lab.level = *clicked == blocks ? -1 : *clicked;
}

}  // namespace vitrine
