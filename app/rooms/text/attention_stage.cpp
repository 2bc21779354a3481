#include <algorithm>
#include <optional>

#include "app/rooms/figures/scene.h"
#include "app/rooms/text/chapter.h"
#include "app/rooms/text/text_scene.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "app/workspace/text_result.h"
#include "core/text/decoding.h"
#include "core/transformer/block_trace.h"

// The stage of every chapter about attention: keys above, queries below, lines between them, all heads at the bottom.

namespace vitrine {

namespace {

/// What stands beside the lines. Where type is large for the height, as in a lecture, they keep their height instead.
struct Leaves {
    bool strip = true, captions = true;  // the maps of all heads; what the rows are
    Chips chips = Chips::glossed;
};
constexpr Leaves all_leaves[] = {{},  // the first that has room
                                 {false},
                                 {false, false},
                                 {false, false, Chips::plain},
                                 {false, false, Chips::small}};

/// The attention of one run.
struct Drawn {
    std::string id;  // "text" or "text.swapped"
    const TextRun& run;
    TextAttention kind;
    int block;
    Leaves leaves = {};
};

/// The chosen or hovered words on each side.
struct Lit {
    int query = -1, key = -1, chosen_query = -1;
};
Lit lit_in(const TextScene& scene, TextAttention kind) {
    const Selection& s = scene.selection;
    const TextLook& look = scene.look();
    if (kind == TextAttention::cross) {
        Lit lit{s.hovered_target().value_or(-1), s.hovered_source().value_or(-1), look.target};
        if (lit.query < 0 && lit.key < 0) lit.query = look.target;
        return lit;
    }
    const bool encoder = kind == TextAttention::encoder;
    const int shown = encoder ? source_in_view(scene.now, s) : target_in_view(scene.now, s);
    return {shown, -1, shown};
}

/// Applies hovers and clicks. Keys react only where they are words of another text than the queries: in
/// cross-attention.
void take_hits(const TextScene& scene, TextAttention kind, const WordHit& query, const WordHit& key) {
    TextLook& look = scene.look();
    Selection& s = scene.selection;
    const bool encoder = kind == TextAttention::encoder;
    if (query.hovered >= 0) encoder ? s.hover_source(query.hovered) : s.hover_target(query.hovered);
    if (query.clicked >= 0) {
        int& chosen = encoder ? look.source : look.target;
        chosen = chosen == query.clicked ? -1 : query.clicked;
    }
    if (kind != TextAttention::cross) return;
    if (key.hovered >= 0) s.hover_source(key.hovered);
    if (key.clicked >= 0) look.source = look.source == key.clicked ? -1 : key.clicked;
}

std::vector<char> parked(const AttentionMap& map, const TextTokens& keys, TextAttention kind) {
    std::vector<char> pale(static_cast<std::size_t>(map.rows), 0);
    if (kind != TextAttention::cross) return pale;
    for (int i = 0; i < map.rows; ++i)
        pale[static_cast<std::size_t>(i)] = is_parking(keys.words[static_cast<std::size_t>(map.best(i))]) ? 1 : 0;
    return pale;
}

/// The drawn attention of a run.
struct Figured {
    AttentionMap map;
    TextSides sides;
    bool idle = false;  // without effect on the output
};

/// What the rows are.
struct RowCaptions {
    std::string above, below;
};
RowCaptions row_captions(const TextScene& scene, const Drawn& d, bool idle) {
    const std::string part = name_of(d.kind);
    const std::string mask = d.kind == TextAttention::decoder ? mask_aspect(scene.experiment()) : std::string();
    return {scene.ui.text("text.keys." + part + (mask.empty() ? "" : "_" + mask)),
            scene.ui.text(idle                                                ? "text.idle"
                          : scene.ui.bare && d.kind == TextAttention::encoder ? "text.queries.encoder_bare"
                                                                              : "text.queries." + part)};
}

/// The height with which lines between two rows of words are seen.
float least_lines(const TextScene& scene) { return 2 * scene.canvas.measure("", Font::caption).y; }

/// As many times that height have lines, from the last row of a hall, before the maps of all heads have room.
constexpr float lines_before_strip = 2.5F;

/// Whether a figure's rows of words leave its lines their height, or a matrix has its rows'.
bool has_room(const TextScene& scene, const Drawn& d, const Figured& figured, Leaves leaves) {
    if (scene.look().matrix)
        return scene.area.height() >= static_cast<float>(figured.map.rows) * least_lines(scene) / 2;
    float height = least_lines(scene) * (leaves.strip && scene.projected() ? lines_before_strip : 1);
    for (const TextTokens* const tokens : {&figured.sides.keys, &figured.sides.queries})
        height += place_words(scene, scene.area, tokens->words, Levels::down, leaves.chips).height;
    const auto [above, below] = row_captions(scene, d, figured.idle);
    if (leaves.captions) height += caption_height(scene, above) + caption_height(scene, below) + scene.px(8);
    return height <= scene.area.height();
}

void lines_figure(const TextScene& scene, const Drawn& d, const Figured& figured) {
    const auto& [map, sides, idle] = figured;
    const bool own = d.id == "text";
    const auto [above, below] = row_captions(scene, d, idle);
    const bool captions = d.leaves.captions;
    const float under = captions ? caption_height(scene, below) + scene.px(4) : 0;
    const float over =
        captions ? text_caption(scene, {scene.area.x0, scene.area.y0}, above, scene.palette().muted) + scene.px(4) : 0;
    const Rect rows{scene.area.x0, scene.area.y0 + over, scene.area.x1, scene.area.y1};
    const WordPlaces keys = place_words(scene, rows, sides.keys.words, Levels::up, d.leaves.chips);
    WordPlaces queries = place_words(scene, rows, sides.queries.words, Levels::down, d.leaves.chips);
    const float down = rows.height() - queries.height - under;
    for (Rect& rect : queries.rects) rect.y0 += down, rect.y1 += down;
    Lit lit = lit_in(scene, d.kind);
    if (!own && lit.query >= map.rows) lit.query = -1;
    draw_lines(scene, {d.id + ".line", map, queries, keys, lit.query, lit.key, parked(map, sides.keys, d.kind), idle});
    std::vector<float> weights;
    if (lit.query >= 0 && lit.query < map.rows) {
        const auto row = map.row(lit.query);
        weights.assign(row.begin(), row.end());
    }
    if (captions) scene.ui.probe.mark(d.id + ".keys", {scene.area.x0, scene.area.y0, scene.area.x1, rows.y0}, 0, above);
    const WordHit key =
        draw_words(scene, {d.id + ".key", sides.keys, keys, scene.palette().key,
                           d.kind == TextAttention::cross ? scene.look().source : -1, lit.key, weights});
    const WordHit query = draw_words(
        scene, {d.id + ".query", sides.queries, queries, scene.palette().query, lit.chosen_query, lit.query, {}});
    if (own) take_hits(scene, d.kind, query, key);
    if (captions)
        text_caption(scene, {scene.area.x0, scene.area.y1 - under + scene.px(4)}, below, scene.palette().muted);
}

void matrix_figure(const TextScene& scene, const Drawn& d, const Figured& figured) {
    const auto& [map, sides, idle] = figured;
    const Lit lit = lit_in(scene, d.kind);
    const MatrixHit hit = draw_matrix(scene, {d.id + ".cells", map, sides.queries, sides.keys, lit.chosen_query,
                                              lit.key, d.kind == TextAttention::decoder, idle});
    if (d.id != "text" || hit.query < 0) return;
    take_hits(scene, d.kind, {hit.query, hit.clicked ? hit.query : -1}, {hit.key, -1});
}

/// Its numbers and words; none where they are not of one shape.
std::optional<Figured> figured_of(const TextScene& scene, const Drawn& d) {
    const auto t = attention_of(d.run, d.kind, d.block);
    if (t == nullptr) return {};
    const int head = scene.look().head;
    Figured figured{map_of(*t, head), sides_of(scene.now, d.run, d.kind), is_idle(*t, head)};
    if (figured.map.rows != figured.sides.queries.size() || figured.map.columns != figured.sides.keys.size()) return {};
    return figured;
}

void figure_of(const TextScene& scene, const Drawn& d, const Figured& figured) {
    scene.ui.probe.mark(d.id + ".attention", scene.area, static_cast<double>(d.block), name_of(d.kind));
    if (scene.look().matrix)
        matrix_figure(scene, d, figured);
    else
        lines_figure(scene, d, figured);
}

/// The figures of the run and of the one with a swapped word, one above the other.
std::vector<Rect> places_of(const TextScene& scene, Rect main) {
    if (!scene.now.swapped) return {main};
    const float half = main.height() / 2 - scene.px(12);
    return {{main.x0, main.y0, main.x1, main.y0 + half}, {main.x0, main.y1 - half, main.x1, main.y1}};
}

}  // namespace

void attention_stage(const TextScene& scene, TextAttention kind) {
    const Rect& area = scene.area;
    const bool cross = kind == TextAttention::cross;
    const std::string& note = scene.ui.text(cross ? "text.strip_cross" : "text.strip");
    const float gap = scene.px(12), controls = scene.px(40), line = caption_height(scene, note);
    const float strip = std::clamp(area.height() * 0.24F, scene.px(96), scene.px(170));
    const int block = block_in(scene.now, kind, scene.look());
    attention_controls(scene.in({area.x0, area.y0, area.x1, area.y0 + controls}), kind);
    std::vector<Drawn> drawn = {{"text", scene.now.run, kind, block}};
    if (scene.now.swapped) drawn.push_back({"text.swapped", *scene.now.swapped, kind, block});
    const auto places_with = [&](Leaves leaves) {
        return places_of(
            scene, {area.x0, area.y0 + controls + gap, area.x1, area.y1 - (leaves.strip ? strip + gap + line : 0)});
    };
    std::vector<std::optional<Figured>> figured;
    for (const Drawn& d : drawn) figured.push_back(figured_of(scene, d));
    const auto fits = [&](Leaves leaves) {
        const std::vector<Rect> places = places_with(leaves);
        for (std::size_t i = 0; i < drawn.size(); ++i)
            if (figured[i] && !has_room(scene.in(places[i]), drawn[i], *figured[i], leaves)) return false;
        return true;
    };
    Leaves leaves;
    const bool two_of_lines = scene.now.swapped && !scene.look().matrix;
    if (scene.projected() || two_of_lines)  // which need the room of the heads' maps in a small window
        for (const Leaves& some : all_leaves)
            if (leaves = some; fits(some)) break;
    const std::vector<Rect> places = places_with(leaves);
    for (std::size_t i = 0; i < drawn.size(); ++i) {
        drawn[i].leaves = leaves;
        if (figured[i]) figure_of(scene.in(places[i]), drawn[i], *figured[i]);
    }
    if (places.size() > 1) {
        const float middle = (places[0].y1 + places[1].y0) / 2;
        scene.canvas.line({area.x0, middle}, {area.x1, middle}, scene.palette().line, scene.px(1));
    }
    if (!leaves.strip) return;
    heads_strip(scene.in({area.x0, area.y1 - strip - line, area.x1, area.y1 - line - scene.px(2)}), kind);
    text_caption(scene, {area.x0, area.y1 - line}, note, scene.palette().muted);
}

}  // namespace vitrine
