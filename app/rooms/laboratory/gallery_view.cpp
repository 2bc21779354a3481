#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "app/chapters/model_words.h"
#include "app/rooms/figures/figures.h"
#include "app/rooms/figures/head_off.h"
#include "app/rooms/laboratory/laboratory.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/heatmap.h"
#include "app/ui/widgets/hot_area.h"
#include "app/ui/widgets/number.h"
#include "app/ui/widgets/rich_text.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "core/measures/head_statistics.h"

namespace vitrine {

namespace {

/// A head and its sort key.
struct Tile {
    int block = 1, head = 0;
    float value = 0;
};

/// The sort keys of an order, (L, h); null if it has none or they are not measured yet.
const Tensor2* values_of(const Measured& m, HeadOrder order) {
    switch (order) {
        case HeadOrder::entropy:
        case HeadOrder::distance:
        case HeadOrder::class_share:
            return m.statistics ? &m.statistics->of(name_in(head_order_names, order)) : nullptr;
        case HeadOrder::object_share: return m.object_share.get();
        case HeadOrder::block:
        case HeadOrder::similarity: break;
    }
    return nullptr;
}

std::vector<Tile> tiles_in_order(const LabScene& lab, HeadOrder order) {
    const Config& c = lab.scene.now.model->config;
    std::vector<Tile> tiles;
    const Tensor2* const values = values_of(lab.measured, order);
    for (int i = 0; i < c.blocks * c.heads; ++i) {
        const auto block = static_cast<std::size_t>(i / c.heads), head = static_cast<std::size_t>(i % c.heads);
        tiles.push_back({i / c.heads + 1, i % c.heads, values == nullptr ? 0 : (*values)(block, head)});
    }
    if (values != nullptr)
        std::stable_sort(tiles.begin(), tiles.end(), [](const Tile& a, const Tile& b) { return a.value < b.value; });
    if (order != HeadOrder::similarity || !lab.measured.groups) return tiles;
    std::vector<Tile> grouped;
    for (const int i : lab.measured.groups->order) grouped.push_back(tiles[static_cast<std::size_t>(i)]);
    return grouped;
}

/// Layout of the tiles: a row per block, or as large as possible.
struct HeadGrid {
    Rect area;  // of all cells
    int rows = 1, columns = 1;
    Point cell;   // distance from one tile to the next
    float width;  // of a map
    bool captions = false;
};

HeadGrid layout_of(const LabScene& lab, Rect rect, int count, bool by_block) {
    const Theme& theme = lab.scene.ui.theme;
    const Config& c = lab.scene.now.model->config;
    const float aspect = grid_aspect(lab), gap = theme.px(5),
                line = lab.scene.canvas.measure("", Font::caption).y + theme.px(2), least = theme.px(58);
    HeadGrid l;
    const float labels = by_block ? theme.px(34) : 0;
    const Rect room{rect.x0 + labels, rect.y0 + (by_block ? line : 0), rect.x1, rect.y1};
    for (const bool captions : {true, false}) {
        if (captions && by_block) continue;
        const Point spare{gap, gap + (captions ? line : 0)};
        const Tiling t = by_block ? Tiling{c.heads, c.blocks,
                                           std::min(room.width() / static_cast<float>(c.heads) - spare.x,
                                                    (room.height() / static_cast<float>(c.blocks) - spare.y) * aspect)}
                                  : tiling_of(count, room, aspect, spare);
        l = {{}, t.rows, t.columns, {t.width + spare.x, t.width / aspect + spare.y}, t.width, captions};
        if (t.width >= least) break;
    }
    l.area = {room.x0, room.y0, room.x0 + l.cell.x * static_cast<float>(l.columns),
              room.y0 + l.cell.y * static_cast<float>(l.rows)};
    return l;
}

Rect map_at(const LabScene& lab, const HeadGrid& l, int place) {
    const float x = l.area.x0 + l.cell.x * static_cast<float>(place % l.columns),
                y = l.area.y0 + l.cell.y * static_cast<float>(place / l.columns);
    return {x, y, x + l.width, y + l.width / grid_aspect(lab)};
}

/// Numbers of blocks and heads along the edges.
void label_sides(const LabScene& lab, const HeadGrid& l) {
    const Theme& theme = lab.scene.ui.theme;
    const Config& c = lab.scene.now.model->config;
    const float line = lab.scene.canvas.measure("", Font::caption).y;
    const TextStyle style{Font::caption, theme.palette.muted, Align::centre};
    const int every_row = std::max(1, static_cast<int>(line / l.cell.y + 1)),
              every_column = std::max(1, static_cast<int>(theme.px(26) / l.cell.x + 1));
    for (int block = 1; block <= c.blocks; block += every_row)
        lab.scene.canvas.text({l.area.x0 - theme.px(18), map_at(lab, l, (block - 1) * c.heads).centre().y - line / 2},
                              lab.scene.ui.ordinal(block - 1), style);
    for (int head = 0; head < c.heads; head += every_column)
        lab.scene.canvas.text({map_at(lab, l, head).centre().x, l.area.y0 - line - theme.px(2)},
                              lab.scene.ui.ordinal(head), style);
    const Point corner{l.area.x0 - theme.px(34), l.area.y0 - line - theme.px(2)};
    lab.scene.canvas.text(corner, "ℓ\\i", {Font::caption, theme.palette.muted, Align::left});
    hot_area(lab.scene.ui, "lab.heads.corner", {corner.x, corner.y, corner.x + theme.px(30), corner.y + line}, "ℓ\\i");
    tooltip(lab.scene.ui, lab.scene.ui.text("gallery.corner"));
}

/// A letter in the corner of a picked head.
void badge(const LabScene& lab, Rect map, const Laboratory& state, const Tile& tile) {
    const Theme& theme = lab.scene.ui.theme;
    for (std::size_t i = 0; i < state.picks.size(); ++i) {
        if (state.picks[i].block != tile.block || state.picks[i].head != tile.head) continue;
        const float line = lab.scene.canvas.measure("", Font::caption).y;
        const Rect box{map.x0, map.y0, map.x0 + line, map.y0 + line};
        lab.scene.canvas.fill(box, theme.palette.accent, theme.px(3));
        lab.scene.canvas.text({box.centre().x, box.y0}, letter_of_pick(i),
                              {Font::caption, theme.palette.on_accent, Align::centre});
        return;
    }
}

/// The head's name, with its group or its sort key in `digits` digits; with 0 digits the name alone.
std::string caption_of(const LabScene& lab, const Tile& tile, HeadOrder order, int digits) {
    const std::string name = lab.scene.ui.ordinal(tile.block - 1) + "·" + lab.scene.ui.ordinal(tile.head);
    if (digits == 0) return name;
    if (order == HeadOrder::similarity && lab.measured.groups) {
        const std::size_t heads = static_cast<std::size_t>(lab.scene.now.model->config.heads);
        const std::size_t i = static_cast<std::size_t>(tile.block - 1) * heads + static_cast<std::size_t>(tile.head);
        return std::string(1, static_cast<char>('a' + lab.measured.groups->branch[i])) + "  " + name;
    }
    if (values_of(lab.measured, order) == nullptr) return name;
    return name + "  " + digits_text(static_cast<double>(tile.value), digits);
}

/// The number of digits with which all captions fit below their maps; 0 if only the names fit, none if not even they.
std::optional<int> digits_of_captions(const LabScene& lab, const std::vector<Tile>& tiles, HeadOrder order,
                                      float width) {
    for (const int digits : {3, 2, 0})
        if (std::ranges::all_of(tiles, [&](const Tile& tile) {
                return lab.scene.canvas.measure(caption_of(lab, tile, order, digits), Font::caption).x <= width;
            }))
            return digits;
    return std::nullopt;
}

void show_head(const LabScene& lab, const Tile& tile, std::optional<int> patch, const Focus& focus) {
    const Ui& ui = lab.scene.ui;
    std::vector<std::string> lines = {head_name(ui, tile.block, tile.head)};
    const bool off = head_is_off(lab.scene, tile.block, tile.head);
    if (off) lines.push_back(words_of_off_head(ui, tile.head));
    if (!off && lab.measured.statistics) {
        const HeadStatistics& s = *lab.measured.statistics;
        const auto l = static_cast<std::size_t>(tile.block - 1), i = static_cast<std::size_t>(tile.head);
        lines.push_back(ui.text(key_for(ui.text, "lab.tell_head", lab.scene.now.model->config),
                                {{"entropy", number_text(static_cast<double>(s.of("entropy")(l, i)))},
                                 {"distance", number_text(static_cast<double>(s.of("distance")(l, i)))},
                                 {"share", percent_text(static_cast<double>(s.of("class_share")(l, i)))}}));
    }
    if (!off && patch)
        lines.push_back(token_name(ui, lab.scene.now, lab.scene.now.model->config.token_of(*patch)) + ": a = " +
                        number_text(static_cast<double>(
                            patch_weights(lab, tile.block, tile.head, focus.token)[static_cast<std::size_t>(*patch)])));
    readout(ui, lines);
}

/// One interactive area for all tiles: the arrow keys move from head to head.
void point_at_tiles(const LabScene& lab, const HeadGrid& l, const std::vector<Tile>& tiles, Selection& selection) {
    const Scene& scene = lab.scene;
    const Config& c = scene.now.model->config;
    Focus& focus = selection.focus;
    const Hit hit = hot_area(scene.ui, "gallery", l.area, {}, {l.rows, l.columns});
    const auto cell = hit.at ? cell_at(l.area, {l.rows, l.columns}, *hit.at) : std::nullopt;
    const std::size_t place = cell ? static_cast<std::size_t>(cell->row * l.columns + cell->column) : tiles.size();
    if (place >= tiles.size()) return;
    const Tile& tile = tiles[place];
    const Rect map = map_at(lab, l, static_cast<int>(place));
    scene.canvas.stroke(map, scene.ui.theme.palette.text, scene.ui.theme.px(2));
    selection.hover_head(tile.head, tile.block);
    std::optional<int> patch;
    if (const auto at = cell_at(map, {c.grid_height(), c.grid_width()}, *hit.at)) {
        patch = at->row * c.grid_width() + at->column;
        selection.hover_token(c.token_of(*patch));
    }
    show_head(lab, tile, patch, focus);
    if (hit.clicked && ImGui::GetIO().KeyShift)
        focus.lab.toggle_pick(tile.block, tile.head);
    else if (hit.clicked)
        focus.block = tile.block, focus.head = tile.head;
    if (hit.menu)
        selection.ask_menu({patch ? std::optional(c.token_of(*patch)) : std::nullopt, Pick{tile.block, tile.head}});
}

/// The weights of a query on the patches in all heads of a range of blocks.
std::vector<float> weights_of_blocks(const LabScene& lab, int first, int last, int query) {
    std::vector<float> weights;
    for (int block = first; block <= last; ++block)
        for (int head = 0; head < lab.scene.now.model->config.heads; ++head) {
            const std::vector<float> row = patch_weights(lab, block, head, query);
            weights.insert(weights.end(), row.begin(), row.end());
        }
    return weights;
}

/// Hint that a few patches set the range of all maps, or of some blocks' maps; "" if none do. No hint if every head has
/// its own range, since the brightest patch is then what the map shows.
std::string few_words(const LabScene& lab, const Focus& focus) {
    const Ui& ui = lab.scene.ui;
    const int blocks = lab.scene.now.model->config.blocks;
    if (focus.scope == Scope::head) return "";
    if (range_in_laboratory(focus.scope) != Scope::block) {
        const float high = weight_scale(lab, focus, focus.block, focus.head).high;
        return few_set_the_range(weights_of_blocks(lab, 1, blocks, focus.token), high) ? ui.text("attention.few") : "";
    }
    std::string list;
    int dark = 0;
    for (int block = 1; block <= blocks; ++block) {
        const float high = weight_scale(lab, focus, block, 0).high;
        if (!few_set_the_range(weights_of_blocks(lab, block, block, focus.token), high)) continue;
        list += (list.empty() ? "" : ui.text("list.comma")) + ui.ordinal(block - 1);
        ++dark;
    }
    if (dark == blocks) return ui.text("attention.few");
    return list.empty() ? "" : ui.text("lab.few_blocks", {{"blocks", list}});
}

/// The chosen head enlarged, with its numbers, if the tiles leave room.
void draw_chosen(const LabScene& lab, Rect rect, const ColourScale& scale, Selection& selection) {
    const Scene& scene = lab.scene;
    const Theme& theme = scene.ui.theme;
    const Focus& focus = selection.focus;
    if (rect.width() < theme.px(240)) return;
    const Config& c = scene.now.model->config;
    RichText words{"", Font::caption, theme.palette.text, Align::left};
    if (lab.measured.statistics) {
        const HeadStatistics& s = *lab.measured.statistics;
        const auto l = static_cast<std::size_t>(focus.block - 1), i = static_cast<std::size_t>(focus.head);
        const auto number = [](float x) { return number_text(static_cast<double>(x)); };
        words.markup = scene.ui.text(key_for(scene.ui.text, "lab.chosen", c),
                                     {{"token", token_name(scene.ui, scene.now, focus.token)},
                                      {"entropy", number(s.of("entropy")(l, i))},
                                      {"effective", number(s.of("effective_tokens")(l, i))},
                                      {"distance", number(s.of("distance")(l, i))},
                                      {"share", percent_text(static_cast<double>(s.of("class_share")(l, i)))}});
    }
    if (head_is_off(scene, focus.block, focus.head)) words.markup = words_of_off_head(scene.ui, focus.head);
    const float line = scene.canvas.measure("", Font::heading).y + theme.px(6);
    const float below = measure_rich(scene.canvas, words, rect.width()).y + theme.px(8);
    text_line(scene, {rect.x0, rect.y0}, rect.width(), head_name(scene.ui, focus.block, focus.head), Font::heading);
    const Rect room{rect.x0, rect.y0 + line, rect.x1, rect.y1 - below};
    const float left = room.x0 + leading_room(scene);
    const float width = std::min(room.x1 - left, room.height() * grid_aspect(lab));
    const Rect map{left, room.y0, left + width, room.y0 + width / grid_aspect(lab)};
    if (map.width() < static_cast<float>(c.grid_width())) return;
    const std::vector<float> weights = token_weights(lab, focus.block, focus.head, focus.token);
    patch_map(lab, map, {"gallery.chosen", weights, scale, true, "a", {}, Pick{focus.block, focus.head}}, selection);
    const Rect told{rect.x0, map.y1 + theme.px(8), rect.x1, rect.y1};
    rich_text(scene.canvas, scene.ui, told, words);
    scene.ui.probe.mark("gallery.chosen.told", told, 0, words.markup);
}

}  // namespace

void gallery_view(const LabScene& lab, Selection& selection) {
    const Scene& scene = lab.scene;
    const Theme& theme = scene.ui.theme;
    const Focus& focus = selection.focus;
    const HeadOrder order = focus.lab.order;
    if (order == HeadOrder::similarity && !lab.measured.groups) return report_missing(lab);
    const float bar = range_bar_height(lab);
    const Rect& a = scene.area;
    const std::vector<Tile> tiles = tiles_in_order(lab, order);
    const HeadGrid l = layout_of(lab, {a.x0, a.y0, a.x1, a.y1 - bar - theme.px(8)}, static_cast<int>(tiles.size()),
                                 order == HeadOrder::block);
    if (order == HeadOrder::block) label_sides(lab, l);

    const std::optional<int> digits = l.captions ? digits_of_captions(lab, tiles, order, l.width) : std::nullopt;
    const ColourScale shared = weight_scale(lab, focus, focus.block, focus.head);
    ColourScale scale = shared;
    for (std::size_t i = 0; i < tiles.size(); ++i) {
        const Tile& tile = tiles[i];
        const bool own = focus.scope == Scope::head || (range_in_laboratory(focus.scope) == Scope::block &&
                                                        (i == 0 || order != HeadOrder::block || tile.head == 0));
        if (own) scale = weight_scale(lab, focus, tile.block, tile.head);
        const Rect map = map_at(lab, l, static_cast<int>(i));
        const std::string id = "gallery." + std::to_string(tile.block) + "." + std::to_string(tile.head);
        if (!drawn_as_off(lab, map, {tile.block, tile.head, {}}, {id}))
            paint_patches(lab, map, patch_weights(lab, tile.block, tile.head, focus.token), scale);
        const bool chosen = tile.block == focus.block && tile.head == focus.head;
        if (chosen && !scene.ui.bare)
            scene.canvas.stroke(map.inset(-theme.px(2)), theme.palette.accent, theme.px(3), theme.px(2));
        badge(lab, map, focus.lab, tile);
        if (digits) {
            const std::string words = caption_of(lab, tile, order, *digits);
            const Point at{map.x0, map.y1 + theme.px(1)};
            text_line(scene, at, l.width, words, Font::caption, chosen ? theme.palette.accent : theme.palette.muted);
            scene.ui.probe.mark(id + ".caption", {at.x, at.y, at.x + l.width, at.y + l.cell.y}, 0, words);
        }
        if (scene.ui.probe.on) scene.ui.probe.mark(id, map, static_cast<double>(i));
    }
    point_at_tiles(lab, l, tiles, selection);
    draw_chosen(lab, {l.area.x1 + theme.px(28), l.area.y0, a.x1, l.area.y1}, shared, selection);
    range_bar(lab, {a.x0, a.y1 - bar, a.x1, a.y1},
              {"gallery.few", shared, scope_words(scene.ui, focus, focus.block, focus.head), few_words(lab, focus)});
}

}  // namespace vitrine
