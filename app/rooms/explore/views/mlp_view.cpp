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
/// Share of the column's height for the map, and the space below it, in pixels at scale 1.
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
    const float line = ranged_title(scene, rect, grid.title, grid.reach, theme.palette.mlp);
    const Rect room{rect.x0, rect.y0 + line, rect.x1, rect.y1};
    // The widest grid of complete rows with about square cells.
    int best = 1;
    for (int rows = 1; rows <= count; ++rows)
        if (count % rows == 0 &&
            static_cast<float>(count) / static_cast<float>(rows) * room.height() / static_cast<float>(rows) >=
                room.width())
            best = rows;
    const GridSize size{best, count / best};
    scene.canvas.heat_map(
        room, {grid.values.data(), size.rows, size.columns, {ColourMap::diverging, -grid.reach, grid.reach}, 1});
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

/// Buttons for the units with the largest activations for the token.
void draw_top_units(const Scene& scene, Rect rect, Selection& selection) {
    const Theme& theme = scene.ui.theme;
    const auto block = block_of(scene, selection);
    const MlpTrace& mlp = block->mlp;
    const int token = selection.focus.token;
    const std::span<const float> before = row_of(mlp.hidden, token), after = row_of(mlp.activation, token);
    const float line = scene.canvas.measure("", Font::caption).y + theme.px(4);
    text_line(scene, {rect.x0, rect.y0}, rect.width(), scene.ui.text("mlp.top"), Font::caption, theme.palette.muted);
    const int shown = std::clamp(static_cast<int>((rect.height() - line) / theme.px(38)), 1, units_listed);
    float y = rect.y0 + line;
    std::vector<int> units = largest(after, shown);
    std::erase_if(units, [&](int unit) { return after[static_cast<std::size_t>(unit)] <= 0; });  // they sleep
    if (units.empty()) {
        const std::string words = scene.ui.text("mlp.none_active");
        text_block(scene, {rect.x0, y, rect.x1, rect.y1}, words, Font::caption);
        scene.ui.probe.mark("mlp.none_active", {rect.x0, y, rect.x1, rect.y1}, 0, words);
    }
    const auto numbers_of = [&](int unit) {
        const auto i = static_cast<std::size_t>(unit);
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

/// The unit's activations as a map of the image, and the patches that excite it most.
void draw_unit(const Scene& scene, Rect rect, Selection& selection) {
    const Theme& theme = scene.ui.theme;
    const Config& c = scene.now.model->config;
    const auto block = block_of(scene, selection);
    const MlpTrace& mlp = block->mlp;
    const int unit = selection.unit_in_view();
    std::vector<float> values;
    for (int token = 0; token < c.tokens(); ++token)
        values.push_back(row_of(mlp.activation, token)[static_cast<std::size_t>(unit)]);
    const float side = std::min(theme.px(54), rect.width() / 4),
                line = scene.canvas.measure("", Font::caption).y + theme.px(4);
    const float reach = reach_of(values);
    token_map(scene, {rect.x0, rect.y0, rect.x1, rect.y1 - side - line - theme.px(10)},
              {"mlp.map",
               scene.ui.text("mlp.map", {{"unit", scene.ui.ordinal(unit)}}),
               values,
               {ColourMap::diverging, -reach, reach},
               {},
               Region{Quantity::mlp_activation, selection.focus.block, 0, 0, c.tokens(), unit, unit + 1},
               false},
              selection);
    float x = rect.x0;
    text_line(scene, {x, rect.y1 - side - line}, rect.width(), scene.ui.text("mlp.excited"), Font::caption,
              theme.palette.muted);
    const std::span<const float> patches = c.patches_of(values);
    for (const int patch : largest(patches, patches_shown)) {
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

}  // namespace

void mlp_view(const Scene& scene, Selection& selection, WhatIfs&) {
    const Rect& a = scene.area;
    const Theme& theme = scene.ui.theme;
    const Text& text = scene.ui.text;
    const Config& c = scene.now.model->config;
    const auto t = block_of(scene, selection);
    const int token = selection.focus.token, block = selection.focus.block;
    const bool after = equations_of(c, scene.now.experiment.what_ifs, {block}).norm == Norm::after;
    const Rect left = columns(a, 0, 0.62F), right = columns(a, 0.67F, 1);
    const float arrow = theme.px(28), gap = theme.px(5),
                strip = std::clamp(left.height() * 0.13F, theme.px(54), theme.px(90));
    const float units = (left.height() - 2 * strip - 2 * arrow - 5 * gap) / 2;
    const std::string d = count_text(c.embedding_dim), m = count_text(c.mlp_dim);
    RectStack stack(left, gap);
    vector_figure(scene, stack.next(strip),
                  {"mlp.input",
                   text("mlp.input", {{"token", short_token_name(scene.ui, scene.now, token)}, {"count", d}}),
                   row_of(after ? t->residual : t->ln2.out, token),
                   row_region(after ? Quantity::residual : Quantity::ln2, block, 0, token, c.embedding_dim),
                   theme.palette.norm,
                   0,
                   {}},
                  selection);
    const Rect first = stack.next(arrow);
    arrow_down(scene, {first.x0 + theme.px(10), first.y0}, arrow, text("mlp.arrow_in", {{"m", m}, {"d", d}}));
    const std::span<const float> hidden = row_of(t->mlp.hidden, token), active = row_of(t->mlp.activation, token);
    const float reach = reach_of(hidden);
    std::vector<float> grown(hidden.begin(), hidden.end()), squashed(hidden.begin(), hidden.end());
    const float grow = phase(scene.time, 0, 0.35F), squash = phase(scene.time, 0.35F, 0.7F),
                contract = phase(scene.time, 0.7F, 1);
    for (std::size_t i = 0; i < grown.size(); ++i) {
        squashed[i] = (hidden[i] + (active[i] - hidden[i]) * squash) * grow;
        grown[i] *= grow;
    }
    draw_units(scene, stack.next(units),
               {"mlp.hidden", text("mlp.hidden", {{"count", m}}), Quantity::mlp_hidden, grown, reach}, selection);
    const std::string name = activation_words(scene.now, block);
    draw_units(scene, stack.next(units),
               {"mlp.activation", text("mlp.activation", {{"name", name}, {"count", m}}), Quantity::mlp_activation,
                squashed, reach},
               selection);
    const Rect second = stack.next(arrow);
    arrow_down(scene, {second.x0 + theme.px(10), second.y0}, arrow, text("mlp.arrow_out", {{"m", m}, {"d", d}}));
    const std::span<const float> whole = row_of(t->mlp.out, token);
    std::vector<float> out(whole.begin(), whole.end());
    for (float& x : out) x *= contract;
    vector_figure(scene, stack.next(strip),
                  {"mlp.out",
                   text("mlp.out", {{"count", d}}),
                   out,
                   row_region(Quantity::mlp_out, block, 0, token, c.embedding_dim),
                   theme.palette.mlp,
                   reach_of(whole),
                   {}},
                  selection);

    const float most = theme.px(26) + theme.px(38) * units_listed, least = theme.px(26) + theme.px(38) * least_listed;
    const float list = std::clamp(right.height() * (1 - map_share) - theme.px(beside_map), least, most);
    draw_top_units(scene, {right.x0, right.y0, right.x1, right.y0 + list}, selection);
    draw_unit(scene, {right.x0, right.y0 + list + theme.px(8), right.x1, right.y1}, selection);
}

}  // namespace vitrine
