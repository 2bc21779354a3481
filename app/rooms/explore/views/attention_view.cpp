#include <imgui.h>

#include <algorithm>

#include "app/platform/imgui_compat.h"
#include "app/rooms/explore/views/head_maps.h"
#include "app/rooms/explore/views/head_weights.h"
#include "app/rooms/explore/views/views.h"
#include "app/rooms/figures/figures.h"
#include "app/rooms/figures/head_off.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/ui.h"
#include "app/ui/widgets/canvas.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/heatmap.h"
#include "app/workspace/laboratory_state.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"

namespace vitrine {

namespace {

constexpr float least_scale = 330;  // least width of the colour bar beside the slider, px at scale 1

/// Layout of the step's parts.
struct Places {
    Rect maps, looks, few;  // the heads' maps; the "looks" maps of the chosen token; the hint about dark maps
    Rect scale;             // colour bar
    Rect brightness;        // slider of the picture below the maps; empty: above the "looks" maps
    Point choices;          // place of the choices of scope and curve, beside or below the colour bar
    bool both = true;       // there is room for both "looks" maps
};

/// Width of the choices of scope and curve.
float choices_width(const Scene& scene) {
    float width = scene.ui.theme.px(16) + curve_choice_width(scene);
    for (const char* const scope : {"scope.head_short", "scope.block_short", "scope.model_short"})
        width += std::ceil(scene.canvas.measure(scene.ui.text(scope), Font::strong).x) + scene.ui.theme.px(28);
    return width;
}

/// The heads are above the scale, the "looks" maps on their right, one below the other. Where type is large for the
/// height, as in a lecture, the heads take the whole height, and the "looks" maps are side by side above the scale, on
/// the heads' right: all parts stay visible.
Places places_of(const Scene& scene, const Focus& focus) {
    const Rect& a = scene.area;
    const Theme& theme = scene.ui.theme;
    const float bar = theme.px(64), line = scene.canvas.measure("", Font::caption).y + theme.px(4);
    const auto few_over = [&](Rect rect, float bottom) {
        return Rect{rect.x0, bottom - line - theme.px(4), rect.x1, bottom - theme.px(4)};
    };
    const Rect all{a.x0, a.y0, a.x1, a.y1 - bar - line - theme.px(8)};
    const float slider = theme.px(150), gap = theme.px(24), choices = choices_width(scene);
    const bool beside_scale = a.width() - slider - 2 * gap - choices >= theme.px(least_scale);
    const float room = a.width() - choices - (beside_scale ? slider + 2 * gap : gap);
    const float width = std::min({a.width() * 0.5F, theme.px(560), room});
    Places at{columns(all, 0, focus.solo ? 0.49F : 0.68F),
              columns(all, focus.solo ? 0.52F : 0.71F, 1),
              few_over(a, a.y1 - bar),
              {a.x0, a.y1 - bar, a.x0 + width, a.y1},
              beside_scale ? Rect{a.x1 - slider, a.y1 - bar + theme.px(4), a.x1, a.y1} : Rect{},
              {a.x0 + width + gap, a.y1 - bar + theme.px(16)}};
    at.both = !focus.solo && all.height() >= theme.px(480);
    if (focus.solo || at.both || a.width() < theme.px(950)) return at;
    const float row = theme.px(50);
    const Rect heads = columns(a, 0, 0.49F), beside = columns(a, 0.52F, 1);
    if (width_of_each_map(scene, heads) < width_of_each_map(scene, at.maps)) return at;
    const float low = beside.y1 - row - bar;
    return {heads,
            {beside.x0, beside.y0, beside.x1, low - line - theme.px(16)},
            few_over(beside, low),
            {beside.x0, low, beside.x1 - slider - gap, low + bar},
            {beside.x1 - slider, low + theme.px(4), beside.x1, low + bar},
            {beside.x0, low + bar + theme.px(8)}};
}

/// Draws the slider for the brightness of the picture below the maps. Not in figures for slides.
void draw_brightness(const Scene& scene, Rect rect, Selection& selection) {
    if (scene.ui.bare) return;
    ImGui::SetCursorScreenPos({rect.x0, rect.y0});
    begin_child({"attention.brightness", rect.width(), rect.height(), false, false, ImGuiWindowFlags_NoScrollbar});
    brightness_slider(scene.ui, selection);
    ImGui::EndChild();
}

/// Draws, above the "looks" maps, the switch that shows in every head's map which queries attend to the chosen token.
/// Returns the rest of the rectangle.
Rect draw_direction(const Scene& scene, Rect rect, Selection& selection) {
    if (scene.ui.bare) return rect;
    const Text& text = scene.ui.text;
    ImGui::SetCursorScreenPos({rect.x0, rect.y0});
    const std::string token = short_token_name(scene.ui, scene.now, selection.focus.token);
    toggle(
        scene.ui,
        {"attention.looked_at", text("attention.looked_at", {{"token", token}}), text("attention.looked_at_tip"), {}},
        selection.focus.looked_at, rect.width());
    rect.y0 = ImGui::GetItemRectMax().y + scene.ui.theme.px(10);
    return rect;
}

/// The caption of the colour bar: weights of the chosen token as query, or of all queries on that token.
WeightWords words_of_weights(const Scene& scene, const Focus& focus, Curve curve) {
    WeightWords words = weight_words(scene.ui, curve);
    if (!focus.looked_at) return words;
    const std::string token = short_token_name(scene.ui, scene.now, focus.token);
    const bool bent = curve != Curve::linear;
    words.caption = scene.ui.text(bent ? "attention.weight_on_bent" : "attention.weight_on",
                                  {{"token", token}, {"curve", curve == Curve::root ? "√a" : "log a"}});
    return words;
}

/// Draws the colour bar with its range, and the choices of scope and curve.
void draw_scale(const Scene& scene, const Places& at, Selection& selection) {
    const Text& text = scene.ui.text;
    const Theme& theme = scene.ui.theme;
    Focus& focus = selection.focus;
    const std::string head = scene.ui.ordinal(focus.head);
    const std::string scopes[] = {
        largest_of_head(scene.now.model->config, *block_in_view(scene, focus), focus, focus.head) > 0
            ? text(focus.solo ? "scope.head" : "scope.each", {{"head", head}})
            : text("scope.all_zero"),
        text(focus.looked_at ? "scope.block_looked_at" : "scope.block", {{"block", scene.ui.ordinal(focus.block - 1)}}),
        text("scope.model"), text("scope.fixed")};
    const Scope range = range_in_chapter(focus.scope);
    const ColourScale scale = scale_of_head(scene, focus, focus.head);
    const WeightWords words = words_of_weights(scene, focus, scale.curve);
    if (!at.brightness.empty()) draw_brightness(scene, at.brightness, selection);
    std::string scope = range_words(scene, scopes[static_cast<std::size_t>(range)]);
    const float needed = scene.canvas.measure(scope + words.shorter, Font::caption).x + theme.px(16);
    if (scene.other != nullptr && needed > at.scale.width())
        scope = range_words(scene, "");  // its button says the rest
    else if (needed > at.scale.width() && range == Scope::block)
        scope = text("scope.block_short");
    colour_bar(scene.canvas, scene.ui, at.scale, {scale, words.caption, scope, words.shorter});
    scene.ui.probe.mark("attention.scale", at.scale, static_cast<double>(scale.high), words.caption + "\n" + scope);

    ImGui::SetCursorScreenPos({at.choices.x, at.choices.y});
    const Control choices[] = {{"scope.head", text("scope.head_short"), text("scope.head_tip"), {}},
                               {"scope.block", text("scope.block_short"), text("scope.block_tip"), {}},
                               {"scope.model", text("scope.model_short"), text("scope.model_tip"), {}}};
    int chosen = static_cast<int>(range);
    if (segmented(scene.ui, choices, chosen)) focus.scope = static_cast<Scope>(chosen);
    const float beside = ImGui::GetItemRectMax().x + theme.px(16);
    curve_choice(scene, {beside, at.choices.y}, selection);
}

/// Hint on the colours' range: suggests √a if a few patches set it, a range per map if another head or block makes maps
/// dark, and one range for all, to compare heads, if each map has its own. Empty if no hint is needed.
struct DarkWords {
    const char* id = nullptr;  // of the mark; also the key of the words
    std::string words;
};
DarkWords words_on_darkness(const Scene& scene, float width, const Focus& focus) {
    const Text& text = scene.ui.text;
    const float high = scale_of_head(scene, focus, focus.head).high;
    if (focus.lab.curve == Curve::linear && few_set_the_range(weights_in_view(scene, focus), high))
        return {"attention.few", text("attention.few")};
    if (focus.solo) return {};
    if (range_in_chapter(focus.scope) == Scope::head) {
        std::string words = text("attention.own", {{"choice", text("scope.block_short")}});
        if (scene.canvas.measure(words, Font::caption).x > width) return {};
        return {"attention.own", std::move(words)};
    }
    const Config& c = scene.now.model->config;
    const auto block = block_in_view(scene, focus);
    for (int head = 0; head < c.heads; ++head)
        if (const std::vector<float> weights = map_weights(*block, focus, head);
            !head_is_off(scene, focus.block, head) && std::ranges::max(c.patches_of(weights)) > 0 &&
            darkness_of(c.patches_of(weights), scale_of_head(scene, focus, head)))
            for (const char* const key :
                 {focus.looked_at ? "attention.dark_looked_at" : "attention.dark", "attention.dark_short"})
                if (std::string words = text(key, {{"choice", text("scope.head_short")}});
                    scene.canvas.measure(words, Font::caption).x <= width)
                    return {"attention.dark", std::move(words)};
    return {};
}

/// Draws that hint, but not in figures for slides; its line is reserved even if empty, so that nothing moves.
void tell_darkness(const Scene& scene, Rect line, const Focus& focus) {
    const DarkWords told = words_on_darkness(scene, line.width(), focus);
    if (told.id == nullptr) return;
    ControlCanvas canvas(scene.ui);
    text_line({scene.ui, scene.now, canvas, scene.area, scene.time}, {line.x0, line.y0}, line.width(), told.words,
              Font::caption, scene.ui.theme.palette.accent);
    scene.ui.probe.mark(told.id, line, 0, told.words);
}

}  // namespace

void attention_view(const Scene& scene, Selection& selection, WhatIfs& what_ifs) {
    const Places at = places_of(scene, selection.focus);
    if (selection.focus.solo)
        one_head_map(scene, at.maps, selection, what_ifs);
    else
        all_head_maps(scene, at.maps, selection, what_ifs);
    Rect looks = draw_direction(scene, at.looks, selection);
    if (at.brightness.empty() && !scene.ui.bare) {
        const float height = scene.ui.theme.px(62);
        draw_brightness(scene, {looks.x0, looks.y0, looks.x1, looks.y0 + height}, selection);
        looks.y0 += height;
    }
    if (at.both)
        looks_both_ways(scene, looks, "attention", selection);
    else
        who_looks_here(scene, looks, "attention", selection);
    tell_darkness(scene, at.few, selection.focus);
    draw_scale(scene, at, selection);
}

}  // namespace vitrine