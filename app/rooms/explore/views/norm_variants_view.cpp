#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "app/chapters/shown_norm.h"
#include "app/rooms/explore/views/views.h"
#include "app/rooms/figures/figures.h"
#include "app/rooms/figures/memo.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/canvas.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/heatmap.h"
#include "app/ui/widgets/hot_area.h"
#include "app/ui/widgets/number.h"
#include "app/ui/widgets/rich_text.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"

namespace vitrine {

namespace {

constexpr float controls = 48;  // height of the choices above both figures, px at scale 1

/// The largest difference over all tokens between both versions of the norm, before γ and β.
double largest_over_tokens(const Scene& scene, const Selection& selection) {
    static Memo<double> of_block;
    const Focus& f = selection.focus;
    return of_block.of(scene.now.trace.block(f.block), static_cast<std::uint64_t>(f.half), [&] {
        const Config& c = scene.now.model->config;
        const auto epsilon = static_cast<double>(c.layer_norm_epsilon);
        double most = 0;
        for (int i = 0; i < c.tokens(); ++i) {
            const std::vector<float> input = norm_input(scene.now, selection, i);
            const auto reach = static_cast<double>(reach_of(scaled_outside_root(input, epsilon)));
            most = std::max(most, reach * std::abs(1 / annotated_ratio(input, epsilon) - 1));
        }
        return most;
    });
}

std::string variants_words(const Scene& scene, const Selection& selection, const NormVariants& v) {
    const Focus& f = selection.focus;
    const Config& c = scene.now.model->config;
    const double features = c.embedding_dim, ratio = annotated_ratio(norm_input(scene.now, selection, f.token),
                                                                     static_cast<double>(c.layer_norm_epsilon));
    return scene.ui.text("variants.told",
                         {{"norm", f.half == Half::attention ? "LN₁" : "LN₂"},
                          {"block", scene.ui.ordinal(f.block - 1)},
                          {"token", short_token_name(scene.ui, scene.now, f.token)},
                          {"ratio", fixed_text(ratio, 4)},
                          {"root", fixed_text(std::sqrt((features - 1) / features), 4)},
                          {"own", number_text(static_cast<double>(largest_difference(v.biased, v.unbiased)))},
                          {"most", number_text(largest_over_tokens(scene, selection))}});
}

void draw_variants(const Scene& scene, Rect rect, Selection& selection) {
    const Text& text = scene.ui.text;
    const Theme& theme = scene.ui.theme;
    const NormVariants v = variants_of_norm(scene.now, selection);
    const std::string told = variants_words(scene, selection, v);
    const float reach = std::max(reach_of(v.biased), reach_of(v.unbiased)), gap = theme.px(8);
    const float words = measure_rich(scene.canvas, {told, Font::caption, {}, Align::left}, rect.width()).y;
    const float height = (rect.height() - theme.px(controls) - words - 3 * gap) / 3;
    RectStack stack({rect.x0, rect.y0 + theme.px(controls), rect.x1, rect.y1}, gap);
    const std::string input = selection.focus.half == Half::attention ? "z" : "z′";
    const auto strip = [&](const char* key, std::span<const float> values, const std::optional<Color>& color,
                           float to) {
        vector_figure(scene, stack.next(height), {key, text(key, {{"input", input}}), values, {}, color, to, {}},
                      selection);
    };
    strip("variants.biased", v.biased, theme.palette.norm, reach);
    strip("variants.unbiased", v.unbiased, theme.palette.norm, reach);
    strip("variants.difference", v.difference, {}, 0);
    const Rect rest = stack.rest();
    text_block(scene, rest, told, Font::caption);
    scene.ui.probe.mark("variants.largest", rest, static_cast<double>(largest_difference(v.biased, v.unbiased)), told);
}

/// Size of the drawn corner of the cube; means and deviations are over all numbers of the cube.
constexpr int tokens_drawn = 5, features_drawn = 6;

/// The cube's corner as a stack of sheets: one per image, tokens down, features across.
struct Deck {
    Rect rect;
    int images, tokens, features;
    float side, step_x, step_y;
    float reach;  // end of the colour scale: the corner's largest magnitude

    Rect sheet(int image) const {
        const float x = rect.x0 + step_x * static_cast<float>(image),
                    y = rect.y1 - side * static_cast<float>(tokens) - step_y * static_cast<float>(image);
        return {x, y, x + side * static_cast<float>(features), y + side * static_cast<float>(tokens)};
    }
};

Deck deck_of(Rect rect, const Tensor3& cube) {
    const int images = static_cast<int>(cube.shape()[0]),
              tokens = std::min(tokens_drawn, static_cast<int>(cube.shape()[1])),
              features = std::min(features_drawn, static_cast<int>(cube.shape()[2]));
    constexpr float across = 0.35F, up = 0.35F;  // offset between sheets
    const auto f = static_cast<float>(features), t = static_cast<float>(tokens), more = static_cast<float>(images - 1);
    const float side = std::min(rect.width() / (f * (1 + across * more)), rect.height() / (t * (1 + up * more)));
    float reach = 0;
    for (int image = 0; image < images; ++image)
        for (int token = 0; token < tokens; ++token)
            reach =
                std::max(reach, reach_of({&cube(static_cast<std::size_t>(image), static_cast<std::size_t>(token), 0),
                                          static_cast<std::size_t>(features)}));
    return {rect, images, tokens, features, side, side * f * across, side * t * up, reach};
}

/// The chosen number: image, token and feature in the corner.
struct Chosen {
    int image, token, feature;
};
Chosen chosen_in(const Deck& deck, const Focus& focus) {
    return {focus.cube / deck.features / deck.tokens, focus.cube / deck.features % deck.tokens,
            focus.cube % deck.features};
}

/// All numbers normalised together with the chosen one: its token's D features, or its feature over all tokens and
/// images.
std::vector<float> group_of(const Tensor3& cube, const Chosen& chosen, bool batch_norm) {
    const auto feature = static_cast<std::size_t>(chosen.feature);
    if (!batch_norm) {
        const float* const row =
            &cube(static_cast<std::size_t>(chosen.image), static_cast<std::size_t>(chosen.token), 0);
        return {row, row + cube.shape()[2]};
    }
    std::vector<float> group;
    for (std::size_t image = 0; image < cube.shape()[0]; ++image)
        for (std::size_t token = 0; token < cube.shape()[1]; ++token) group.push_back(cube(image, token, feature));
    return group;
}

void draw_sheet(const Scene& scene, const Deck& deck, int image, const Focus& focus) {
    const Tensor3& cube = *scene.now.batch;
    const Theme& theme = scene.ui.theme;
    const Rect sheet = deck.sheet(image);
    std::vector<float> corner;
    for (int token = 0; token < deck.tokens; ++token) {
        const float* const row = &cube(static_cast<std::size_t>(image), static_cast<std::size_t>(token), 0);
        corner.insert(corner.end(), row, row + deck.features);
    }
    const GridSize size{deck.tokens, deck.features};
    scene.canvas.fill(sheet.inset(-theme.px(2)), theme.palette.panel);
    scene.canvas.heat_map(
        sheet, {corner.data(), deck.tokens, deck.features, {ColourMap::diverging, -deck.reach, deck.reach}, 1});
    const Chosen chosen = chosen_in(deck, focus);
    const float away = phase(scene.time, 0.2F, 0.8F) * 0.6F;
    for (int token = 0; token < deck.tokens; ++token)
        for (int feature = 0; feature < deck.features; ++feature) {
            const Rect cell = cell_rect(sheet, size, {token, feature});
            if (focus.batch_norm ? feature == chosen.feature : image == chosen.image && token == chosen.token)
                scene.canvas.stroke(cell, theme.palette.norm, theme.px(2));
            else
                scene.canvas.fill(cell, theme.palette.panel.with_alpha(away));
        }
    scene.canvas.stroke(sheet, theme.palette.line, theme.px(1));
}

/// Shows a readout of the hovered number, which a click chooses; where sheets overlap, image 0 is in front.
void point_at_cube(const Scene& scene, const Deck& deck, Selection& selection) {
    const Tensor3& cube = *scene.now.batch;
    const GridSize size{deck.tokens, deck.features};
    bool pointed = false;
    for (int image = 0; image < deck.images; ++image) {
        const Rect sheet = deck.sheet(image);
        const Hit hit = hot_area(scene.ui, "cube.image." + std::to_string(image), sheet, {}, {size.rows, size.columns});
        const auto cell = hit.at ? cell_at(sheet, size, *hit.at) : std::nullopt;
        if (!cell || std::exchange(pointed, true)) continue;
        if (hit.clicked) selection.focus.cube = (image * deck.tokens + cell->row) * deck.features + cell->column;
        const float number = cube(static_cast<std::size_t>(image), static_cast<std::size_t>(cell->row),
                                  static_cast<std::size_t>(cell->column));
        readout(scene.ui,
                std::vector<std::string>{scene.ui.text("cube.cell", {{"image", scene.ui.ordinal(image)},
                                                                     {"token", scene.ui.ordinal(cell->row)},
                                                                     {"feature", scene.ui.ordinal(cell->column)}}),
                                         number_text(static_cast<double>(number))});
    }
}

void draw_cube(const Scene& scene, Rect rect, Selection& selection) {
    const Text& text = scene.ui.text;
    const Theme& theme = scene.ui.theme;
    const Tensor3& cube = *scene.now.batch;
    Focus& focus = selection.focus;
    ImGui::SetCursorScreenPos({rect.x0, rect.y0});
    const Control choices[] = {{"cube.layer", text("cube.layer"), text("cube.layer_tip"), {}},
                               {"cube.batch", text("cube.batch"), text("cube.batch_tip"), {}}};
    int chosen = focus.batch_norm ? 1 : 0;
    if (segmented(scene.ui, choices, chosen)) focus.batch_norm = chosen == 1;
    const float words = theme.px(112);  // five lines of text
    const Deck deck = deck_of({rect.x0, rect.y0 + theme.px(controls), rect.x1, rect.y1 - words}, cube);
    focus.cube = std::clamp(focus.cube, 0, deck.images * deck.tokens * deck.features - 1);
    point_at_cube(scene, deck, selection);
    for (int image = deck.images - 1; image >= 0; --image) draw_sheet(scene, deck, image, selection.focus);

    const std::vector<float> group = group_of(cube, chosen_in(deck, focus), focus.batch_norm);
    const Moments m = moments_of(group);
    const std::string told =
        text(focus.batch_norm ? "cube.batch_told" : "cube.layer_told", {{"count", std::to_string(group.size())},
                                                                        {"mean", number_text(m.mean)},
                                                                        {"deviation", number_text(m.deviation)}});
    const Rect below{rect.x0, rect.y1 - words + theme.px(6), rect.x1, rect.y1};
    text_block(scene, below, told, Font::caption);
    scene.ui.probe.mark("cube.mean", below, m.mean, told);
}

}  // namespace

void norm_variants_view(const Scene& scene, Selection& selection, WhatIfs&) {
    half_choice(scene, {scene.area.x0, scene.area.y0}, selection);
    Rect area = scene.area;
    if (area.width() < scene.ui.theme.px(660)) area.y0 += scene.ui.theme.px(controls);  // choices in two rows
    draw_variants(scene, columns(area, 0, 0.47F), selection);
    draw_cube(scene, columns(area, 0.53F, 1), selection);
}

}  // namespace vitrine
