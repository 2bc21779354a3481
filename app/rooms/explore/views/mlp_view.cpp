#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/rooms/explore/views/views.h"
#include "app/rooms/figures/computation.h"
#include "app/rooms/figures/figures.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/canvas.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/heatmap.h"
#include "app/ui/widgets/number.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "core/measures/analysis.h"
#include "core/transformer/equations.h"

namespace vitrine {

namespace {

constexpr int units_listed = 6, least_listed = 3, patches_shown = 3;
/// Share of the right column's height for a unit's map, and the height of the map's other parts, px at scale 1.
constexpr float map_share = 0.44F, beside_map = 160;

/// Hidden units as cells, row by row, in a grid that fills the width.
struct UnitGrid {
    std::string id, title;
    Quantity quantity;
    std::span<const float> values;
    float reach;
};
void draw_units(const Scene& scene, Rect rect, const UnitGrid& grid, Selection& selection) {
    const Theme& theme = scene.ui.theme;
    const auto count = static_cast<int>(grid.values.size());
    const float reach = selection.reach(grid.id, grid.reach);
    const float line = ranged_title(scene, rect, grid.title, reach, theme.palette.mlp);
    const Rect room{rect.x0, rect.y0 + line, rect.x1, rect.y1};
    // The widest grid of complete rows with about square cells.
    int best = 1;
    for (int rows = 1; rows <= count; ++rows)
        if (count % rows == 0 &&
            static_cast<float>(count) / static_cast<float>(rows) * room.height() / static_cast<float>(rows) >=
                room.width())
            best = rows;
    const GridSize size{best, count / best};
    scene.canvas.heat_map(room,
                          {grid.values.data(), size.rows, size.columns, {ColourMap::diverging, -reach, reach}, 1});
    scene.canvas.stroke(room, theme.palette.line, theme.px(1));
    const int token = selection.focus.token, unit = selection.unit_in_view();
    const Region region = row_region(grid.quantity, selection.focus.block, 0, token, count);
    const CellHit hit = point_at_cells(scene, room, {grid.id, region, size}, selection);
    if (hit.hovered) selection.hover_unit(hit.hovered->column);
    if (hit.clicked) {
        selection.focus.unit = hit.clicked->column;
        selection.focus.cell.reset();
    }
    outline_cell(scene.canvas, scene.ui, cell_rect(room, size, {unit / size.columns, unit % size.columns}),
                 theme.palette.mlp);
}

/// Draws buttons for the units with the largest activations for the token.
void draw_top_units(const Scene& scene, Rect rect, Selection& selection) {
    const Theme& theme = scene.ui.theme;
    const auto block = block_of(scene, selection);
    const MlpTrace& mlp = block->mlp;
    const int token = selection.focus.token;
    const bool gated = scene.now.model->config.gated_mlp;
    const std::span<const float> before = row_of(gated ? mlp.activation : mlp.hidden, token),
                                 after = row_of(mlp.hidden_layer(), token);
    const float line = scene.canvas.measure("", Font::caption).y + theme.px(4);
    text_line(scene, {rect.x0, rect.y0}, rect.width(), scene.ui.text("mlp.top"), Font::caption, theme.palette.muted);
    const int shown = std::clamp(static_cast<int>((rect.height() - line) / theme.px(38)), 1, units_listed);
    float y = rect.y0 + line;
    std::vector<int> units = largest(after, shown);
    std::erase_if(units, [&](int unit) { return after[static_cast<std::size_t>(unit)] <= 0; });  // not activated
    if (units.empty()) {
        const std::string words = scene.ui.text("mlp.none_active");
        text_block(scene, {rect.x0, y, rect.x1, rect.y1}, words, Font::caption);
        scene.ui.probe.mark("mlp.none_active", {rect.x0, y, rect.x1, rect.y1}, 0, words);
    }
    const auto numbers_of = [&](int unit) {
        const auto i = static_cast<std::size_t>(unit);
        if (gated)
            return number_text(static_cast<double>(before[i])) + " · " +
                   number_text(static_cast<double>(mlp.value(static_cast<std::size_t>(token), i)));
        return number_text(static_cast<double>(before[i])) + " → " + number_text(static_cast<double>(after[i]));
    };
    float words_width = 0;
    for (const int unit : units)
        words_width = std::max(words_width, scene.canvas.measure(numbers_of(unit), Font::mono).x);
    for (const int unit : units) {
        ImGui::SetCursorScreenPos({rect.x0, y});
        const std::string id = "mlp.unit." + std::to_string(unit);
        const auto i = static_cast<std::size_t>(unit);
        const std::string words = numbers_of(unit);
        const ChipState state{theme.palette.mlp, unit == selection.focus.unit, false, false,
                              rect.width() - words_width - theme.px(8)};
        if (chip(scene.ui,
                 {id,
                  chip_words(scene, scene.ui.text("mlp.unit", {{"unit", scene.ui.ordinal(unit)}}),
                             scene.ui.ordinal(unit), state.width),
                  {},
                  {}},
                 state) == ChipClick::chosen)
            selection.focus.unit = unit;
        if (ImGui::IsItemHovered()) selection.hover_unit(unit);
        scene.canvas.text({rect.x1, y + theme.px(5)}, words, {Font::mono, theme.palette.text, Align::right});
        const float left = rect.x1 - scene.canvas.measure(words, Font::mono).x;
        scene.ui.probe.mark(id + ".value", {left, y, rect.x1, y + theme.px(34)}, static_cast<double>(after[i]), words);
        y += theme.px(38);
    }
}

/// Draws the unit's activations as a map of the image, and the patches with its largest positive activations, if any.
void draw_unit(const Scene& scene, Rect rect, Selection& selection) {
    const Theme& theme = scene.ui.theme;
    const Config& c = scene.now.model->config;
    const auto block = block_of(scene, selection);
    const MlpTrace& mlp = block->mlp;
    const int unit = selection.unit_in_view();
    std::vector<float> values;
    for (int token = 0; token < c.tokens(); ++token)
        values.push_back(row_of(mlp.hidden_layer(), token)[static_cast<std::size_t>(unit)]);
    const float side = std::min(theme.px(54), rect.width() / 4),
                line = scene.canvas.measure("", Font::caption).y + theme.px(4);
    const float reach = reach_of(values);
    token_map(scene, {rect.x0, rect.y0, rect.x1, rect.y1 - side - line - theme.px(10)},
              {"mlp.map",
               scene.ui.text("mlp.map", {{"unit", scene.ui.ordinal(unit)}}),
               values,
               {ColourMap::diverging, -reach, reach},
               {},
               Region{c.gated_mlp ? Quantity::mlp_gated : Quantity::mlp_activation, selection.focus.block, 0, 0,
                      c.tokens(), unit, unit + 1},
               false},
              selection);
    float x = rect.x0;
    const std::span<const float> patches = c.patches_of(values);
    std::vector<int> excited = largest(patches, patches_shown);
    std::erase_if(excited, [&](int patch) { return patches[static_cast<std::size_t>(patch)] <= 0; });
    const std::string heading = scene.ui.text(excited.empty() ? "mlp.excited_none" : "mlp.excited");
    text_line(scene, {x, rect.y1 - side - line}, rect.width(), heading, Font::caption, theme.palette.muted);
    for (const int patch : excited) {
        const auto p = static_cast<float>(c.patch_size);
        const float left = static_cast<float>(patch % c.grid_width()) * p,
                    top = static_cast<float>(patch / c.grid_width()) * p;
        const Rect frame{x, rect.y1 - side, x + side, rect.y1};
        scene.canvas.picture(frame, {scene.now.patched, {left, top, left + p, top + p}, true, 1, 1});
        scene.canvas.stroke(
            frame, c.token_of(patch) == selection.focus.token ? theme.palette.query : theme.palette.line, theme.px(2));
        scene.ui.probe.mark("mlp.excited." + std::to_string(c.token_of(patch)), frame,
                            static_cast<double>(patches[static_cast<std::size_t>(patch)]));
        x += side + theme.px(8);
    }
}

/// Draws the units from pre-activations to the hidden layer as grids; with a gate or a norm, two or three side by side.
void draw_hidden_layer(const Scene& scene, Rect upper, Rect lower, Selection& selection) {
    const Text& text = scene.ui.text;
    const Config& c = scene.now.model->config;
    const auto t = block_of(scene, selection);
    const MlpTrace& mlp = t->mlp;
    const int token = selection.focus.token, block = selection.focus.block;
    const std::string m = count_text(c.mlp_dim), name = activation_words(scene.now, block);
    const std::span<const float> hidden = row_of(mlp.hidden, token), active = row_of(mlp.activation, token);
    const float reach = reach_of(hidden);
    std::vector<float> grown(hidden.begin(), hidden.end()), squashed(hidden.begin(), hidden.end());
    const float grow = phase(scene.time, 0, 0.35F), squash = phase(scene.time, 0.35F, 0.7F);
    for (std::size_t i = 0; i < grown.size(); ++i) {
        squashed[i] = (hidden[i] + (active[i] - hidden[i]) * squash) * grow;
        grown[i] *= grow;
    }
    const auto faded = [](std::span<const float> row, float share) {
        std::vector<float> numbers(row.begin(), row.end());
        for (float& x : numbers) x *= share;
        return numbers;
    };
    const auto norm = [&](Rect rect) {
        const std::vector<float> normed = faded(row_of(mlp.norm.out, token), squash);
        draw_units(scene, rect,
                   {"mlp.norm", text("mlp.norm"), Quantity::mlp_norm, normed, reach_of(row_of(mlp.norm.out, token))},
                   selection);
    };
    if (!c.gated_mlp) {
        draw_units(scene, upper, {"mlp.hidden", text("mlp.hidden", {{"count", m}}), Quantity::mlp_hidden, grown, reach},
                   selection);
        draw_units(scene, c.mlp_norm ? columns(lower, 0, 0.485F) : lower,
                   {"mlp.activation", text("mlp.activation", {{"name", name}, {"count", m}}), Quantity::mlp_activation,
                    squashed, reach},
                   selection);
        if (c.mlp_norm) norm(columns(lower, 0.515F, 1));
        return;
    }
    draw_units(scene, columns(upper, 0, 0.485F), {"mlp.hidden", text("mlp.gate"), Quantity::mlp_hidden, grown, reach},
               selection);
    draw_units(scene, columns(upper, 0.515F, 1),
               {"mlp.activation", text("mlp.gate_active", {{"name", name}}), Quantity::mlp_activation, squashed, reach},
               selection);
    const std::span<const float> value = row_of(mlp.value, token), gated = row_of(mlp.gated, token);
    const std::vector<float> values = faded(value, grow), products = faded(gated, squash);
    const float parts = c.mlp_norm ? 3 : 2, gap = 0.03F, width = (1 - (parts - 1) * gap) / parts;
    const auto place = [&](int i) {
        const float left = static_cast<float>(i) * (width + gap);
        return columns(lower, left, left + width);
    };
    draw_units(scene, place(0), {"mlp.value", text("mlp.value"), Quantity::mlp_value, values, reach_of(value)},
               selection);
    draw_units(scene, place(1),
               {"mlp.gated", text("mlp.gated", {{"name", name}}), Quantity::mlp_gated, products, reach_of(gated)},
               selection);
    if (c.mlp_norm) norm(place(2));
}

/// Draws layer scale: the gain of each feature, and the MLP's output after it.
void draw_gain_of_mlp(const Scene& scene, Rect rect, float shown, Selection& selection) {
    const Theme& theme = scene.ui.theme;
    const Config& c = scene.now.model->config;
    const int token = selection.focus.token, block = selection.focus.block;
    const auto t = block_of(scene, selection);
    const Parameter& gain = weights_of(scene, selection).layer_scale_2;
    vector_figure(scene, columns(rect, 0, 0.485F),
                  {"mlp.gain",
                   scene.ui.text("mlp.gain"),
                   {gain.data(), gain.size()},
                   row_region(Quantity::layer_scale_2, block, 0, 0, c.embedding_dim),
                   theme.palette.norm,
                   0,
                   {}},
                  selection);
    const std::span<const float> whole = row_of(t->scaled_mlp, token);
    std::vector<float> scaled(whole.begin(), whole.end());
    for (float& x : scaled) x *= shown;
    vector_figure(scene, columns(rect, 0.515F, 1),
                  {"mlp.scaled",
                   scene.ui.text("mlp.scaled"),
                   scaled,
                   row_region(Quantity::mlp_scaled, block, 0, token, c.embedding_dim),
                   theme.palette.mlp,
                   reach_of(whole),
                   {}},
                  selection);
}

}  // namespace

void mlp_view(const Scene& scene, Selection& selection, WhatIfs&) {
    const Rect& a = scene.area;
    const Theme& theme = scene.ui.theme;
    const Text& text = scene.ui.text;
    const Config& c = scene.now.model->config;
    const auto t = block_of(scene, selection);
    const int token = selection.focus.token, block = selection.focus.block;
    const Norm norm = equations_of(c, scene.now.experiment.what_ifs, {block}).norm;
    const bool after = norm == Norm::after;
    const char* const input_words = norm == Norm::none ? "mlp.input_off" : after ? "mlp.input_after" : "mlp.input";
    const Rect left = columns(a, 0, 0.62F), right = columns(a, 0.67F, 1);
    const float arrow = theme.px(28), gap = theme.px(5),
                strip = std::clamp(left.height() * 0.13F, theme.px(54), theme.px(90));
    const float scaling = c.layer_scale ? strip + gap : 0;
    const float units = (left.height() - 2 * strip - 2 * arrow - 5 * gap - scaling) / 2;
    const std::string d = count_text(c.embedding_dim), m = count_text(c.mlp_dim);
    RectStack stack(left, gap);
    vector_figure(scene, stack.next(strip),
                  {"mlp.input",
                   text(input_words, {{"token", short_token_name(scene.ui, scene.now, token)}, {"count", d}}),
                   row_of(after ? t->residual : t->ln2.out, token),
                   row_region(after ? Quantity::residual : Quantity::ln2, block, 0, token, c.embedding_dim),
                   theme.palette.norm,
                   0,
                   {}},
                  selection);
    const Rect first = stack.next(arrow);
    arrow_down(scene, {first.x0 + theme.px(10), first.y0}, arrow,
               text(c.gated_mlp ? "mlp.arrow_gate" : "mlp.arrow_in", {{"m", m}, {"d", d}}));
    const Rect upper = stack.next(units), lower = stack.next(units);
    draw_hidden_layer(scene, upper, lower, selection);
    const float contract = phase(scene.time, 0.7F, 1);
    const Rect second = stack.next(arrow);
    arrow_down(scene, {second.x0 + theme.px(10), second.y0}, arrow, text("mlp.arrow_out", {{"m", m}, {"d", d}}));
    const std::span<const float> whole = row_of(t->mlp.out, token);
    std::vector<float> out(whole.begin(), whole.end());
    for (float& x : out) x *= contract;
    vector_figure(scene, stack.next(strip),
                  {"mlp.out",
                   text(norm == Norm::before ? "mlp.out" : "mlp.out_unnormed", {{"count", d}}),
                   out,
                   row_region(Quantity::mlp_out, block, 0, token, c.embedding_dim),
                   theme.palette.mlp,
                   reach_of(whole),
                   {}},
                  selection);
    if (c.layer_scale) draw_gain_of_mlp(scene, stack.next(strip), contract, selection);

    const float most = theme.px(26) + theme.px(38) * units_listed, least = theme.px(26) + theme.px(38) * least_listed;
    const float list = std::clamp(right.height() * (1 - map_share) - theme.px(beside_map), least, most);
    draw_top_units(scene, {right.x0, right.y0, right.x1, right.y0 + list}, selection);
    draw_unit(scene, {right.x0, right.y0 + list + theme.px(8), right.x1, right.y1}, selection);
}

}  // namespace vitrine
