#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <vector>

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
#include "core/measures/analysis.h"
#include "core/transformer/attention_places.h"
#include "core/transformer/equations.h"
#include "core/vit/experiment.h"
#include "core/vit/token_places.h"

namespace vitrine {

namespace {

constexpr ColourScale similarity_scale{ColourMap::diverging, -1.0F, 1.0F};

/// Similarities of a patch's position to all others, (grid height, grid width).
HeatMap similarity_of(const Result& now, int patch) {
    const Config& c = now.model->config;
    return {&(*now.position_similarity)(static_cast<std::size_t>(patch), 0), c.grid_height(), c.grid_width(),
            similarity_scale, 1.0F};
}

/// For each patch the mean of cos(φ − φ′) over the rotary angles φ of the token and φ′ of the patch.   ->  (N_p)
std::vector<float> similarities_of_turns(const Result& now, int token) {
    const Config& c = now.model->config;
    const Tensor2& angles = now.trace.embedding->rotation;
    std::vector<float> similarities;
    for (int patch = 0; patch < c.patches(); ++patch)
        similarities.push_back(static_cast<float>(similarity_of_turns(angles, token, c.token_of(patch))));
    return similarities;
}

/// For each patch the similarity of its position to the token's, which may be a token without a place on the grid; 0
/// for a token without a position.   ->  (N_p)
std::vector<float> similarities_of(const Result& now, int token) {
    const Config& c = now.model->config;
    const Parameter& positions = now.model->weights.position;
    const auto d = static_cast<std::size_t>(c.embedding_dim);
    if (positions.empty()) return similarities_of_turns(now, token);
    const auto vector = [&](int row) {
        return std::span<const float>{&positions(static_cast<std::size_t>(row), 0), d};
    };
    std::vector<float> similarities(static_cast<std::size_t>(c.patches()), 0.0F);
    if (const std::optional<int> own = c.position_row(token))
        for (int patch = 0; patch < c.patches(); ++patch)
            similarities[static_cast<std::size_t>(patch)] =
                cosine(vector(*own), vector(c.first_patch_position() + patch));
    return similarities;
}

constexpr int most_maps = 400;  // each is a texture; more maps are drawn as one

/// Draws the maps of all positions as one, with lines in the gaps between them.
void draw_as_one(const Scene& scene, Rect figure, float gap) {
    static Memo<std::vector<float>> of_the_model;
    const Config& c = scene.now.model->config;
    const int rows = c.grid_height(), columns = c.grid_width();
    const std::vector<float>& all = of_the_model.of(scene.now.position_similarity, 0, [&] {
        std::vector<float> cells;
        cells.reserve(scene.now.position_similarity->size());
        for (int row = 0; row < rows; ++row)
            for (int y = 0; y < rows; ++y)
                for (int column = 0; column < columns; ++column) {
                    const float* const map = similarity_of(scene.now, row * columns + column).values;
                    cells.insert(cells.end(), map + y * columns, map + (y + 1) * columns);
                }
        return cells;
    });
    scene.canvas.heat_map(figure, {all.data(), rows * rows, columns * columns, similarity_scale, 1.0F});
    const Color ground = scene.ui.theme.palette.panel;
    for (int column = 0; column <= columns; ++column) {
        const float x = figure.x0 + figure.width() * static_cast<float>(column) / static_cast<float>(columns);
        scene.canvas.line({x, figure.y0}, {x, figure.y1}, ground, gap);
    }
    for (int row = 0; row <= rows; ++row) {
        const float y = figure.y0 + figure.height() * static_cast<float>(row) / static_cast<float>(rows);
        scene.canvas.line({figure.x0, y}, {figure.x1, y}, ground, gap);
    }
}

/// Draws a small map for every position, at its place in the image. Returns the hovered token.
std::optional<int> draw_tiles(const Scene& scene, Rect rect, Selection& selection) {
    const Config& c = scene.now.model->config;
    const Theme& theme = scene.ui.theme;
    const GridSize size{c.grid_height(), c.grid_width()};
    const Rect figure = fit(rect, static_cast<float>(c.grid_width()) / static_cast<float>(c.grid_height()));
    const float gap = std::max(1.0F, figure.width() / static_cast<float>(size.columns) * 0.06F);
    const bool many = c.patches() > most_maps;
    if (many) draw_as_one(scene, figure, gap);
    for (int patch = 0; patch < c.patches(); ++patch) {
        const Rect tile = cell_rect(figure, size, {patch / size.columns, patch % size.columns}).inset(gap / 2);
        if (!many) scene.canvas.heat_map(tile, similarity_of(scene.now, patch));
        if (selection.focus.token == c.token_of(patch)) scene.canvas.stroke(tile, theme.palette.query, theme.px(3));
        if (selection.hovered_token() == c.token_of(patch)) scene.canvas.stroke(tile, theme.palette.text, theme.px(2));
    }
    const Hit hit = hot_area(scene.ui, "position.tiles", figure, {}, {size.rows, size.columns});
    const auto cell = hit.at ? cell_at(figure, size, *hit.at) : std::nullopt;
    if (!cell) return {};
    const int token = c.token_of(cell->row * size.columns + cell->column);
    selection.hover_token(token);
    if (hit.clicked) selection.focus.token = token;
    if (hit.menu) selection.ask_menu({token});
    return token;
}

/// Shows a readout of the similarity of the chosen token's position and the hovered patch's.
void show_similarity(const Scene& scene, int chosen, int pointed) {
    const float similarity =
        similarities_of(scene.now, chosen)[static_cast<std::size_t>(scene.now.model->config.patch_of(pointed))];
    readout(scene.ui,
            std::vector<std::string>{token_name(scene.ui, scene.now, pointed), "cos = " + number_text(similarity)});
}

/// Draws one position's map, enlarged, over the grid of patches.
void draw_large(const Scene& scene, Rect rect, Selection& selection, WhatIfs& what_ifs) {
    const Config& c = scene.now.model->config;
    const Theme& theme = scene.ui.theme;
    const int token = selection.focus.token;
    const std::vector<float> similarities = similarities_of(scene.now, token);
    const float line = theme.px(30 + 12), bar = theme.px(64);
    const float aspect = static_cast<float>(c.grid_width()) / static_cast<float>(c.grid_height());
    const Rect figure =
        fit({rect.x0, rect.y0, rect.x1, std::min(rect.y1 - line - bar, rect.y0 + rect.width() / aspect)}, aspect);
    scene.canvas.heat_map(figure, {similarities.data(), c.grid_height(), c.grid_width(), similarity_scale, 1.0F});
    const bool lines = figure.width() >= theme.px(5) * static_cast<float>(c.grid_width());  // else lines hide the map
    const std::optional<int> pointed =
        patch_pointing(scene, figure, {"position.map", 1, 1, lines, false}, selection, what_ifs);
    if (pointed) show_similarity(scene, token, *pointed);
    const bool turned = scene.now.model->weights.position.empty();
    const bool unused = !turned && equations_of(c, scene.now.experiment.what_ifs, {.token = token}).positions == 0;
    const std::string of = scene.ui.text(turned   ? "position.of_turned"
                                         : unused ? "position.unused"
                                                  : "position.of",
                                         {{"token", short_token_name(scene.ui, scene.now, token)}});
    caption(scene, {figure.centre().x, figure.y1 + theme.px(8)}, of);
    const float nearest = *std::max_element(similarities.begin(), similarities.end());
    scene.ui.probe.mark("position.of", figure, static_cast<double>(nearest), of);
    const float top = figure.y1 + line;
    const float height =
        colour_bar(scene.canvas, scene.ui, {rect.x0, top, rect.x1, top + bar},
                   {similarity_scale, scene.ui.text(turned ? "position.turned_similarity" : "position.similarity"),
                    scene.ui.text("scope.fixed")});
    scene.ui.probe.mark("position.range", {rect.x0, top, rect.x1, top + height},
                        static_cast<double>(similarity_scale.high));
}

/// One feature of each patch's position embedding, in reading order.   ->  (patches)
std::vector<float> feature_of(const Parameter& table, int first_row, int feature, int patches) {
    std::vector<float> numbers;
    for (int patch = 0; patch < patches; ++patch)
        numbers.push_back(table(static_cast<std::size_t>(first_row + patch), static_cast<std::size_t>(feature)));
    return numbers;
}

/// One feature of the stored positions, of the interpolated ones, and of their difference from the nearest stored ones.
struct Interpolated {
    PositionGrid before, after;
    std::vector<float> stored, here, difference;
};

Interpolated interpolated_of(const Model& model, int feature) {
    const Config& c = model.config;
    Interpolated all{model.stored.grid, {c.grid_height(), c.grid_width()}, {}, {}, {}};
    all.stored = feature_of(model.stored.table, c.first_patch_position(), feature, all.before.patches());
    all.here = feature_of(model.weights.position, c.first_patch_position(), feature, all.after.patches());
    for (int patch = 0; patch < all.after.patches(); ++patch) {
        const int row = (2 * (patch / all.after.columns) + 1) * all.before.rows / (2 * all.after.rows);
        const int column = (2 * (patch % all.after.columns) + 1) * all.before.columns / (2 * all.after.columns);
        all.difference.push_back(all.here[static_cast<std::size_t>(patch)] -
                                 all.stored[static_cast<std::size_t>(row * all.before.columns + column)]);
    }
    return all;
}

bool is_interpolated(const Model& model) {
    const PositionGrid here{model.config.grid_height(), model.config.grid_width()};
    return !model.stored.table.empty() && model.stored.grid != here;
}

/// A map of one number of each position, with its caption below; hovering over a patch shows the number.
struct PositionMap {
    const char* id;  // also the key of its words
    const std::vector<float>& values;
    PositionGrid grid;
};

void draw_position_map(const Scene& scene, Rect rect, const PositionMap& map, const ColourScale& scale) {
    const GridSize size{map.grid.rows, map.grid.columns};
    const std::string label =
        scene.ui.text(map.id, {{"columns", std::to_string(map.grid.columns)}, {"rows", std::to_string(map.grid.rows)}});
    const RichText told{label, Font::caption, scene.ui.theme.palette.muted, Align::centre};
    const float words = measure_rich(scene.canvas, told, rect.width()).y, gap = scene.ui.theme.px(8);
    const Rect figure = fit({rect.x0, rect.y0, rect.x1, rect.y1 - words - gap},
                            static_cast<float>(size.columns) / static_cast<float>(size.rows));
    scene.canvas.heat_map(figure, {map.values.data(), size.rows, size.columns, scale, 1.0F});
    rich_text(scene.canvas, scene.ui, {rect.x0, figure.y1 + gap, rect.x1, figure.y1 + gap + words}, told);
    scene.ui.probe.mark(map.id, figure, static_cast<double>(reach_of(map.values)), label);
    const Hit hit = hot_area(scene.ui, std::string(map.id) + ".cells", figure, label, {size.rows, size.columns});
    if (const auto cell = hit.at ? cell_at(figure, size, *hit.at) : std::nullopt)
        readout(scene.ui, std::vector<std::string>{number_text(
                              map.values[static_cast<std::size_t>(cell->row * size.columns + cell->column)])});
}

/// "14 × 14".
std::string grid_words(PositionGrid grid) { return std::to_string(grid.columns) + " × " + std::to_string(grid.rows); }

/// Draws the stored positions, the interpolated ones and their difference, on one scale.
void draw_interpolation(const Scene& scene, Rect rect, Selection& selection) {
    const int feature = selection.feature_in_view();
    const Theme& theme = scene.ui.theme;
    static Memo<Interpolated> numbers;
    const Interpolated& all = numbers.of(scene.now.model, static_cast<std::uint64_t>(feature),
                                         [&] { return interpolated_of(*scene.now.model, feature); });
    const float own = std::max({reach_of(all.stored), reach_of(all.here), reach_of(all.difference)});
    const ColourScale scale = named_scale(selection, "position.interpolated", {ColourMap::diverging, -own, own});
    const RichText told{scene.ui.text("position.feature", {{"feature", scene.ui.ordinal(feature)},
                                                           {"from", grid_words(all.before)},
                                                           {"to", grid_words(all.after)}}),
                        Font::caption, theme.palette.muted, Align::left};
    const float words = measure_rich(scene.canvas, told, rect.width()).y, gap = theme.px(16), bar = theme.px(64);
    rich_text(scene.canvas, scene.ui, {rect.x0, rect.y0, rect.x1, rect.y0 + words}, told);
    const Rect maps{rect.x0, rect.y0 + words + gap, rect.x1, rect.y1 - bar};
    const PositionMap parts[] = {{"position.stored", all.stored, all.before},
                                 {"position.interpolated", all.here, all.after},
                                 {"position.difference", all.difference, all.after}};
    const float step = (maps.width() + gap) / 3;
    float left = maps.x0;
    for (const PositionMap& part : parts) {
        draw_position_map(scene, {left, maps.y0, left + step - gap, maps.y1}, part, scale);
        left += step;
    }
    scale_bar(scene, {rect.x0, rect.y1 - bar, rect.x1, rect.y1},
              {scale, scene.ui.text("position.vector"), scene.ui.text("position.scope")});
}

/// Draws the chip that removes all positions; as on every chip only its symbol switches.
void draw_switch(const Scene& scene, Rect rect, WhatIfs& what_ifs) {
    const Theme& theme = scene.ui.theme;
    const Intervention positions = remove_positions();
    const bool off = contains(what_ifs, positions);
    ImGui::SetCursorScreenPos({rect.x0, rect.y0});
    const Text& text = scene.ui.text;
    ChipState state{theme.palette.accent, false, off};
    state.switch_tip = text(off ? "switch.on" : "switch.off");
    if (chip(scene.ui, {"position.switch_all", text("position.name"), {}, {}}, state) == ChipClick::switched)
        toggle(what_ifs, positions);
}

}  // namespace

namespace {

/// Draws the chosen token, its position, and their sum z₀; the animation adds the position to the token.
void draw_position_sum(const Scene& scene, Rect rect, Selection& selection) {
    const Text& text = scene.ui.text;
    const Palette& p = scene.ui.theme.palette;
    const EmbeddingTrace& t = *scene.now.trace.embedding;
    const Parameter& positions = scene.now.model->weights.position;
    const int token = selection.focus.token, d = scene.now.model->config.embedding_dim;
    const Config& c = scene.now.model->config;
    const bool normed = c.embedding_norm;  // a norm follows the sum, so the sum is not yet z₀
    const std::span<const float> own = row_of(t.tokens, token), z = row_of(normed ? t.placed : t.z, token);
    const std::optional<int> own_row = c.position_row(token);
    const bool added_here = own_row && equations_of(c, scene.now.experiment.what_ifs, {.token = token}).positions != 0;
    const std::vector<float> nothing(static_cast<std::size_t>(d), 0.0F);
    const std::span<const float> position{
        added_here ? &positions(static_cast<std::size_t>(*own_row), 0) : nothing.data(), nothing.size()};
    const float reach = std::max({reach_of(own), added_here ? reach_of(position) : 0.0F, reach_of(z)}),
                gap = scene.ui.theme.px(32);
    const float parts = normed ? 4 : 3, width = (rect.width() - (parts - 1) * gap) / parts,
                added = phase(scene.time, 0.2F, 0.9F);
    std::vector<float> sum(own.begin(), own.end());
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += (z[i] - own[i]) * added;
    const auto part = [&](int i) {
        const float x = rect.x0 + (width + gap) * static_cast<float>(i);
        return Rect{x, rect.y0, x + width, rect.y1};
    };
    vector_figure(scene, part(0),
                  {"position.token",
                   text("position.token", {{"token", short_token_name(scene.ui, scene.now, token)}}),
                   own,
                   row_region(Quantity::tokens, 0, 0, token, d),
                   p.text,
                   reach,
                   {}},
                  selection);
    vector_figure(scene, part(1),
                  {"position.vector",
                   text("position.vector"),
                   position,
                   added_here ? std::optional(row_region(Quantity::position, 0, 0, *own_row, d)) : std::nullopt,
                   p.residual,
                   reach,
                   {}},
                  selection);
    vector_figure(scene, part(2),
                  {"position.sum",
                   text(normed ? "position.placed" : "position.sum"),
                   sum,
                   row_region(normed ? Quantity::placed : Quantity::z, 0, 0, token, d),
                   normed ? p.residual : p.accent,
                   reach,
                   {}},
                  selection);
    if (normed) {
        vector_figure(scene, part(3),
                      {"position.normed",
                       text("position.normed"),
                       row_of(t.z, token),
                       row_region(Quantity::z, 0, 0, token, d),
                       p.norm,
                       0,
                       {}},
                      selection);
        arrow_right(scene, {part(2).x1 + scene.ui.theme.px(4), rect.centre().y + scene.ui.theme.px(8)},
                    gap - scene.ui.theme.px(8), {});
    }
    const float middle = rect.centre().y + scene.ui.theme.px(8);
    operator_sign(scene, {part(0).x1 + gap / 2, middle}, "+");
    operator_sign(scene, {part(1).x1 + gap / 2, middle}, "=");
}

}  // namespace

namespace {

/// Draws rotary positions: the token's query in the chosen head, its angles and, with the animation, the turned query.
void draw_turn(const Scene& scene, Rect rect, Selection& selection) {
    const Text& text = scene.ui.text;
    const Palette& p = scene.ui.theme.palette;
    const Config& c = scene.now.model->config;
    const Focus& f = selection.focus;
    const auto t = block_of(scene, selection);
    const Tensor3& before = t->normed_q.size() > 0 ? t->normed_q : t->q;
    const std::span<const float> q = row_of(before, f.head, f.token), turned = row_of(t->turned_q, f.head, f.token),
                                 angles = row_of(scene.now.trace.embedding->rotation, f.token);
    const float reach = std::max(reach_of(q), reach_of(turned)), gap = scene.ui.theme.px(32),
                width = (rect.width() - 2 * gap) / 3, moved = phase(scene.time, 0.2F, 0.9F);
    std::vector<float> moving(q.begin(), q.end());
    for (int i = 0; i < c.head_dim(); ++i) {
        const TurnedPair pair = turned_pair(c.rotary, c.head_dim(), i);
        const float angle = angles[static_cast<std::size_t>(pair.pair)] * moved;
        moving[static_cast<std::size_t>(i)] = q[static_cast<std::size_t>(i)] * std::cos(angle) +
                                              pair.sign * q[static_cast<std::size_t>(pair.other)] * std::sin(angle);
    }
    const auto part = [&](int i) {
        const float x = rect.x0 + (width + gap) * static_cast<float>(i);
        return Rect{x, rect.y0, x + width, rect.y1};
    };
    vector_figure(scene, part(0),
                  {"position.query",
                   text("position.query", {{"token", short_token_name(scene.ui, scene.now, f.token)}}),
                   q,
                   row_region(c.qk_norm ? Quantity::q_normed : Quantity::q, f.block, f.head, f.token, c.head_dim()),
                   p.query,
                   reach,
                   {}},
                  selection);
    vector_figure(scene, part(1),
                  {"position.angles",
                   text("position.angles"),
                   angles,
                   row_region(Quantity::rotation, 0, 0, f.token, c.head_dim() / 2),
                   p.residual,
                   0,
                   {}},
                  selection);
    vector_figure(scene, part(2),
                  {"position.turned",
                   text("position.turned"),
                   moving,
                   row_region(Quantity::q_turned, f.block, f.head, f.token, c.head_dim()),
                   p.query,
                   reach,
                   {}},
                  selection);
    const float middle = rect.centre().y + scene.ui.theme.px(8);
    operator_sign(scene, {part(0).x1 + gap / 2, middle}, "·");
    operator_sign(scene, {part(1).x1 + gap / 2, middle}, "=");
}

/// Draws a block's table of relative positions: for each head a map of the numbers added to the scores, by the key's
/// offset from the query, which is in the middle. A click chooses the head.
void draw_tables(const Scene& scene, Rect rect, Selection& selection) {
    const Config& c = scene.now.model->config;
    const Theme& theme = scene.ui.theme;
    const Parameter& table = weights_of(scene, selection).position_bias;
    const GridSize size{2 * c.grid_height() - 1, 2 * c.grid_width() - 1};
    const auto offsets = static_cast<std::size_t>(size.rows * size.columns), heads = static_cast<std::size_t>(c.heads);
    const ColourScale scale = [&] {
        const float reach = reach_of({table.data(), offsets * heads});
        return named_scale(selection, "position.tables", {ColourMap::diverging, -reach, reach});
    }();
    const float words =
        text_block(scene, rect,
                   scene.ui.text("position.in_scores", {{"block", scene.ui.ordinal(selection.focus.block - 1)}})) +
        theme.px(14);
    const float bar = theme.px(64), line = theme.px(30),
                aspect = static_cast<float>(size.columns) / static_cast<float>(size.rows);
    const Rect room{rect.x0, rect.y0 + words, rect.x1, rect.y1 - bar - theme.px(10)};
    const auto [columns, rows, width] = tiling_of(c.heads, room, aspect, {theme.px(18), line + theme.px(14)});
    for (int head = 0; head < c.heads; ++head) {
        // The table's offsets go from the key to the query, the map's from the query to the key: in reverse order.
        std::vector<float> added(offsets);
        for (std::size_t i = 0; i < offsets; ++i) added[offsets - 1 - i] = table(i, static_cast<std::size_t>(head));
        const float x = room.x0 + (width + theme.px(18)) * static_cast<float>(head % columns),
                    y = room.y0 + (width / aspect + line + theme.px(14)) * static_cast<float>(head / columns);
        const Rect map{x, y, x + width, y + width / aspect};
        scene.canvas.heat_map(map, {added.data(), size.rows, size.columns, scale, 1.0F});
        if (head == selection.focus.head) scene.canvas.stroke(map, theme.palette.query, theme.px(3));
        caption(scene, {map.centre().x, map.y1 + theme.px(6)},
                scene.ui.text("attention.head", {{"head", scene.ui.ordinal(head)}}));
        const Hit hit =
            hot_area(scene.ui, "position.table." + std::to_string(head), map, {}, {size.rows, size.columns});
        const auto cell = hit.at ? cell_at(map, size, *hit.at) : std::nullopt;
        if (!cell) continue;
        if (hit.clicked) selection.focus.head = head;
        const float own = added[static_cast<std::size_t>(cell->row * size.columns + cell->column)];
        readout(scene.ui,
                std::vector<std::string>{
                    scene.ui.text("position.offset", {{"down", std::to_string(cell->row - c.grid_height() + 1)},
                                                      {"right", std::to_string(cell->column - c.grid_width() + 1)}}),
                    "B = " + number_text(static_cast<double>(own))});
    }
    colour_bar(scene.canvas, scene.ui,
               {rect.x0, rect.y1 - bar, rect.x0 + std::min(rect.width(), theme.px(560)), rect.y1},
               {scale, scene.ui.text("position.added")});
    scene.ui.probe.mark("position.tables", rect, static_cast<double>(c.heads));
}

}  // namespace

void position_view(const Scene& scene, Selection& selection, WhatIfs& what_ifs) {
    const Rect& a = scene.area;
    const Theme& theme = scene.ui.theme;
    if (scene.now.position_similarity->size() == 0) {
        if (scene.now.model->config.position_bias > 0) return draw_tables(scene, a, selection);
        const std::string words = scene.ui.text("position.nothing");
        text_block(scene, a, words, Font::body);
        scene.ui.probe.mark("position.nothing", a, 0, words);
        return;
    }
    const float gap = theme.px(40), side = std::min(a.width() * 0.36F, theme.px(420)), strips = theme.px(96);
    const float low = a.y1 - strips - theme.px(14);
    const Rect left{a.x0, a.y0, a.x1 - side - gap, low};
    if (is_interpolated(*scene.now.model))
        draw_interpolation(scene, left, selection);
    else if (const auto pointed = draw_tiles(scene, left, selection))
        show_similarity(scene, selection.focus.token, *pointed);
    const Rect right{a.x1 - side, a.y0, a.x1, low};
    const float row = theme.px(44);
    draw_large(scene, {right.x0, right.y0 + row, right.x1, right.y1}, selection, what_ifs);
    draw_switch(scene, {right.x0, right.y0, right.x1, right.y0 + row}, what_ifs);
    const Rect below{a.x0, a.y1 - strips, a.x1, a.y1};
    if (turns_by_place(scene.now.model->config))
        draw_turn(scene, below, selection);
    else
        draw_position_sum(scene, below, selection);
}

}  // namespace vitrine
