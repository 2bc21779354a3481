#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/rooms/figures/figures.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/hot_area.h"
#include "app/ui/widgets/number.h"
#include "app/workspace/result.h"
#include "core/studies/normalisation.h"

namespace vitrine {

namespace {

/// The two layer norms of one token and what lies between them.
struct Variants {
    std::vector<float> biased, unbiased, difference;
};
Variants variants_of(const Scene& scene, const Selection& selection, int token) {
    const BlockWeights& w = weights_of(scene, selection);
    const LayerNormWeights& weights = selection.focus.half == Half::attention ? w.ln1 : w.ln2;
    const double epsilon = static_cast<double>(scene.now.model->config.layer_norm_epsilon);
    const std::vector<float> input = norm_input(scene, selection, token);
    Variants v{norm_stages(input, weights, epsilon).out, annotated_layer_norm(input, weights, epsilon), {}};
    for (std::size_t i = 0; i < v.biased.size(); ++i) v.difference.push_back(v.unbiased[i] - v.biased[i]);
    return v;
}

void draw_variants(const Scene& scene, Rect rect, Selection& selection) {
    const Text& text = scene.ui.text;
    const Palette& p = scene.ui.theme.palette;
    const int token = selection.token_in_view();
    const Variants v = variants_of(scene, selection, token);
    const float reach = std::max(reach_of(v.biased), reach_of(v.unbiased)), words = scene.ui.theme.px(50);
    const float gap = scene.ui.theme.px(8), height = (rect.height() - words - 3 * gap) / 3;
    Stack stack(rect, gap);
    vector_figure(scene, stack.next(height),
                  {"variants.biased", text("variants.biased"), v.biased, {}, p.norm, reach, {}}, selection);
    vector_figure(scene, stack.next(height),
                  {"variants.unbiased", text("variants.unbiased"), v.unbiased, {}, p.norm, reach, {}}, selection);
    vector_figure(scene, stack.next(height),
                  {"variants.difference", text("variants.difference"), v.difference, {}, {}, 0, {}}, selection);
    float most = 0;
    const BlockWeights& w = weights_of(scene, selection);
    const LayerNormWeights& weights = selection.focus.half == Half::attention ? w.ln1 : w.ln2;
    const Config& c = scene.now.model->config;
    for (int i = 0; i < c.tokens(); ++i)
        most = std::max(most, annotated_difference(norm_input(scene, selection, i), weights,
                                                   static_cast<double>(c.layer_norm_epsilon)));
    const float own = largest_difference(v.biased, v.unbiased);
    const std::string told = text("variants.told", {{"token", short_token_name(scene.ui, token)},
                                                    {"own", number_text(static_cast<double>(own))},
                                                    {"most", number_text(static_cast<double>(most))}});
    const Rect rest = stack.rest();
    text_block(scene, rest, told, Font::caption);
    scene.ui.probe.mark("variants.largest", rest, static_cast<double>(own), told);
}

/// The cube as a deck of sheets, one an image, tokens down, features across.
struct Deck {
    Rect rect;
    int images, tokens, features;
    float side, step_x, step_y;

    Rect sheet(int image) const {
        const float x = rect.x0 + step_x * static_cast<float>(image),
                    y = rect.y1 - side * static_cast<float>(tokens) - step_y * static_cast<float>(image);
        return {x, y, x + side * static_cast<float>(features), y + side * static_cast<float>(tokens)};
    }
};

Deck deck_of(Rect rect, const Tensor3& cube) {
    const int images = static_cast<int>(cube.shape()[0]), tokens = static_cast<int>(cube.shape()[1]),
              features = static_cast<int>(cube.shape()[2]);
    constexpr float across = 0.82F, up = 0.14F;  // of a sheet, from one to the next
    const auto f = static_cast<float>(features), t = static_cast<float>(tokens), more = static_cast<float>(images - 1);
    const float side = std::min(rect.width() / (f * (1 + across * more)), rect.height() / (t * (1 + up * more)));
    return {rect, images, tokens, features, side, side * f * across, side * t * up};
}

/// Whether a number shares its mean and deviation with the chosen one.
bool in_group(const Focus& focus, const Tensor3& cube, int image, int token, int feature) {
    const int features = static_cast<int>(cube.shape()[2]), tokens = static_cast<int>(cube.shape()[1]);
    const int chosen_feature = focus.cube % features, chosen_token = focus.cube / features % tokens,
              chosen_image = focus.cube / features / tokens;
    if (focus.batch_norm) return feature == chosen_feature;
    return image == chosen_image && token == chosen_token;
}

void draw_sheet(const Scene& scene, const Deck& deck, int image, const Focus& focus) {
    const Tensor3& cube = *scene.now.batch;
    const Theme& theme = scene.ui.theme;
    const Rect sheet = deck.sheet(image);
    const float reach = reach_of({cube.data(), cube.size()});
    const GridSize size{deck.tokens, deck.features};
    scene.canvas.fill(sheet.inset(-theme.px(2)), theme.palette.panel);
    scene.canvas.heat_map(sheet, {&cube(static_cast<std::size_t>(image), 0, 0),
                                  deck.tokens,
                                  deck.features,
                                  {ColourMap::diverging, -reach, reach},
                                  1});
    const float away = phase(scene.time, 0.2F, 0.8F) * 0.6F;
    for (int token = 0; token < deck.tokens; ++token)
        for (int feature = 0; feature < deck.features; ++feature) {
            const Rect cell = cell_rect(sheet, size, {token, feature});
            if (in_group(focus, cube, image, token, feature))
                scene.canvas.stroke(cell, theme.palette.norm, theme.px(2));
            else
                scene.canvas.fill(cell, theme.palette.panel.with_alpha(away));
        }
    scene.canvas.stroke(sheet, theme.palette.line, theme.px(1));
}

/// The number that is pointed at: the nearest sheet's, image 0 first, where they lie over one another.
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
                std::vector<std::string>{scene.ui.text("cube.cell", {{"image", std::to_string(image)},
                                                                     {"token", std::to_string(cell->row)},
                                                                     {"feature", std::to_string(cell->column)}}),
                                         number_text(static_cast<double>(number))});
    }
}

void draw_cube(const Scene& scene, Rect rect, Selection& selection) {
    const Text& text = scene.ui.text;
    const Theme& theme = scene.ui.theme;
    const Tensor3& cube = *scene.now.batch;
    Focus& focus = selection.focus;
    focus.cube = std::clamp(focus.cube, 0, static_cast<int>(cube.size()) - 1);
    ImGui::SetCursorScreenPos({rect.x0, rect.y0});
    const Control choices[] = {{"cube.layer", text("cube.layer"), text("cube.layer_tip"), {}},
                               {"cube.batch", text("cube.batch"), text("cube.batch_tip"), {}}};
    int chosen = focus.batch_norm ? 1 : 0;
    if (segmented(scene.ui, choices, chosen)) focus.batch_norm = chosen == 1;
    const float words = theme.px(76);
    const Deck deck = deck_of({rect.x0, rect.y0 + theme.px(48), rect.x1, rect.y1 - words}, cube);
    point_at_cube(scene, deck, selection);
    for (int image = deck.images - 1; image >= 0; --image) draw_sheet(scene, deck, image, selection.focus);

    std::vector<float> group;
    for (int image = 0; image < deck.images; ++image)
        for (int token = 0; token < deck.tokens; ++token)
            for (int feature = 0; feature < deck.features; ++feature)
                if (in_group(focus, cube, image, token, feature))
                    group.push_back(cube(static_cast<std::size_t>(image), static_cast<std::size_t>(token),
                                         static_cast<std::size_t>(feature)));
    const Moments m = moments_of(group);
    const std::string told =
        text(focus.batch_norm ? "cube.batch_told" : "cube.layer_told", {{"count", std::to_string(group.size())},
                                                                        {"mean", number_text(m.mean)},
                                                                        {"deviation", number_text(m.deviation)}});
    const Rect below{rect.x0, rect.y1 - words + theme.px(6), rect.x1, rect.y1};
    text_block(scene, below, told, Font::caption);
    scene.ui.probe.mark("cube.mean", below, m.mean, told);
}

/// What course prose and course code confuse: two Transformers side by side.
void draw_table(const Scene& scene, Rect rect) {
    const Text& text = scene.ui.text;
    const Theme& theme = scene.ui.theme;
    constexpr int rows = 6;
    const float height = rect.height() / rows;
    static constexpr const char* names[rows] = {"head", "norm", "tokens", "order", "activation", "parts"};
    for (int i = 0; i < rows; ++i) {
        const float y = rect.y0 + height * static_cast<float>(i);
        const std::string key = std::string("kinds.") + names[i];
        const Color color = i == 0 ? theme.palette.muted : theme.palette.text;
        const Rect line{rect.x0, y, rect.x1, y + height};
        if (i == 1) scene.canvas.fill(line, theme.palette.raised, theme.px(4));
        const auto cell = [&](float from, float to, const std::string& words, Color ink) {
            const Rect c = columns(line, from, to);
            text_line(scene, {c.x0 + theme.px(8), y + (height - scene.canvas.measure("", Font::caption).y) / 2},
                      c.width() - theme.px(12), words, Font::caption, ink);
        };
        if (i > 0) cell(0, 0.2F, text(key), theme.palette.muted);
        cell(0.2F, 0.62F, text(key + ".original"), color);
        cell(0.62F, 1, text(key + ".vit"), i == 1 ? theme.palette.norm : color);
        scene.canvas.line({rect.x0, y + height}, {rect.x1, y + height}, theme.palette.line, theme.px(1));
    }
    scene.ui.probe.mark("kinds", rect, rows - 1);
}

}  // namespace

void norm_variants_view(const Scene& scene, Selection& selection, WhatIfs&) {
    const Rect& a = scene.area;
    const float table = std::min(a.height() * 0.34F, scene.ui.theme.px(190)), gap = scene.ui.theme.px(18);
    const Rect top{a.x0, a.y0, a.x1, a.y1 - table - gap};
    draw_variants(scene, columns(top, 0, 0.47F), selection);
    draw_cube(scene, columns(top, 0.53F, 1), selection);
    draw_table(scene, {a.x0, a.y1 - table, a.x1, a.y1});
}

}  // namespace vitrine
