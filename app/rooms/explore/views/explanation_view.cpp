#include <imgui.h>

#include <algorithm>

#include "app/rooms/explore/views/views.h"
#include "app/rooms/figures/change_figure.h"
#include "app/rooms/figures/figures.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/ui.h"
#include "app/ui/widgets/colour_map.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/number.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "core/measures/analysis.h"
#include "core/vit/experiment.h"

namespace vitrine {

namespace {

/// The patch with the chosen head's largest weight for the chosen query, without what-ifs.
int brightest(const Scene& scene, const Selection& selection) {
    const Focus& f = selection.focus;
    const auto t = scene.now.baseline.block(f.block);
    const Config& c = scene.now.model->config;
    return c.token_of(largest(c.patches_of(attention_row(*t, f.head, f.token)), 1).front());
}

/// A switch for the brightest patch, and its effect.
void draw_trial(const Scene& scene, Rect rect, const Selection& selection, WhatIfs& what_ifs) {
    const Text& text = scene.ui.text;
    const int token = brightest(scene, selection);
    const Intervention removal = remove_token(token);
    bool off = contains(what_ifs, removal);
    ImGui::SetCursorScreenPos({rect.x0, rect.y0});
    if (vitrine::toggle(scene.ui,
                        {"explanation.remove",
                         text("explanation.remove", {{"token", short_token_name(scene.ui, scene.now, token)}}),
                         text("explanation.remove_tip"),
                         {}},
                        off))
        toggle(what_ifs, removal);
    if (scene.now.model->config.classes == 0) return;
    const float y = rect.y0 + scene.ui.theme.px(36);
    change_figure(scene.canvas, scene.ui, {rect.x0, y, rect.x1, rect.y1}, {"explanation.effect", scene.now});
}

}  // namespace

void explanation_view(const Scene& scene, Selection& selection, WhatIfs& what_ifs) {
    const Rect& a = scene.area;
    const Theme& theme = scene.ui.theme;
    const Text& text = scene.ui.text;
    const Focus& f = selection.focus;
    const auto t = block_of(scene, selection);
    const std::span<const float> weights = attention_row(*t, f.head, f.token);
    const std::vector<float> moved = value_weighted_norms(*t, f.head, f.token);
    const float told = change_height(scene.canvas, scene.ui, columns(a, 0.66F, 1).width(), Told::all);
    const float words = std::max(theme.px(150), theme.px(34 + 36) + told);
    const Rect maps{a.x0, a.y0, a.x1, a.y1 - words - theme.px(12)};
    const std::string name = short_token_name(scene.ui, scene.now, f.token);
    token_map(scene, columns(maps, 0, 0.48F),
              {"explanation.weights",
               text("explanation.weights", {{"token", name}}),
               weights,
               {ColourMap::sequential, 0, reach_of(weights), f.lab.curve},
               text("scope.head", {{"head", scene.ui.ordinal(f.head)}}),
               {},
               true},
              selection);
    token_map(scene, columns(maps, 0.52F, 1),
              {"explanation.moved",
               text("explanation.moved"),
               moved,
               {ColourMap::sequential, 0, reach_of(moved), f.lab.curve},
               text("scope.head", {{"head", scene.ui.ordinal(f.head)}}),
               {},
               true},
              selection);

    const Rect below{a.x0, a.y1 - words, a.x1, a.y1}, left = columns(below, 0, 0.62F), right = columns(below, 0.66F, 1);
    const double agree = rank_correlation(weights, moved);
    const float height = text_block(scene, left, text("explanation.is"));
    text_block(scene, {left.x0, left.y0 + height + theme.px(6), left.x1, left.y1}, text("explanation.is_not"));
    const std::string agreement = text("explanation.agree", {{"value", number_text(agree)}});
    text_line(scene, {right.x0, right.y0}, right.width(), agreement);
    scene.ui.probe.mark("explanation.agree", {right.x0, right.y0, right.x1, right.y0 + theme.px(24)}, agree, agreement);
    draw_trial(scene, {right.x0, right.y0 + theme.px(34), right.x1, right.y1}, selection, what_ifs);
}

}  // namespace vitrine
