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

// The stage of the chapters about attention: keys above, queries below, lines between them, all heads at the bottom.

namespace vitrine {

namespace {

/// The parts of the figure around the lines. If type is large for the height, as in a lecture, parts are left out, so
/// that the lines keep their height.
struct Extras {
    bool strip = true, captions = true;  // the maps of all heads; captions of the rows
    Chips chips = Chips::glossed;
};
constexpr Extras extras_by_room[] = {{},  // from most to least; the first that fits is drawn
                                     {false},
                                     {false, false},
                                     {false, false, Chips::plain},
                                     {false, false, Chips::small}};

/// The attention of one run that is to be drawn.
struct Drawn {
    std::string id;  // "text" or "text.swapped"
    const TextRun& run;
    TextAttention kind;
    int block;
    Extras extras = {};
};

/// The chosen or hovered words on each side.
struct Lit {
    int query = -1, key = -1, chosen_query = -1;
    bool asked = true;  // somebody chose or hovers the word; else the panel's numbers are about it, but all lines show
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
    const bool asked = encoder ? s.hovered_source() || look.source >= 0 : s.hovered_target() || look.target >= 0;
    return {shown, -1, shown, asked};
}

/// Applies hovers and clicks. Keys react only in cross-attention, where keys and queries are words of different texts.
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

/// 1 for each query in cross-attention whose largest weight is on punctuation or a special word, else 0.      (rows)
std::vector<char> parked(const AttentionMap& map, const TextTokens& keys, TextAttention kind) {
    std::vector<char> pale(static_cast<std::size_t>(map.rows), 0);
    if (kind != TextAttention::cross) return pale;
    for (int i = 0; i < map.rows; ++i)
        pale[static_cast<std::size_t>(i)] = is_parking(keys.words[static_cast<std::size_t>(map.best(i))]) ? 1 : 0;
    return pale;
}

/// The numbers and words of a run's attention.
struct AttentionData {
    AttentionMap map;
    TextSides sides;
    bool idle = false;  // without effect on the output
};

/// Captions that say what the rows of words are.
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

/// The minimum height of the lines between two rows of words, px.
float least_lines(const TextScene& scene) { return 2 * scene.canvas.measure("", Font::caption).y; }

/// In a lecture hall the maps of all heads are drawn only if the lines have this many times their minimum height.
constexpr float lines_before_strip = 2.5F;

/// True if the area leaves the lines their minimum height between the rows of words, or a matrix room for its rows.
bool has_room(const TextScene& scene, const Drawn& d, const AttentionData& data, Extras extras) {
    if (scene.look().matrix) return scene.area.height() >= static_cast<float>(data.map.rows) * least_lines(scene) / 2;
    float height = least_lines(scene) * (extras.strip && scene.projected() ? lines_before_strip : 1);
    for (const TextTokens* const tokens : {&data.sides.keys, &data.sides.queries})
        height += place_words(scene, scene.area, tokens->words, Levels::down, extras.chips).height;
    const auto [above, below] = row_captions(scene, d, data.idle);
    if (extras.captions) height += caption_height(scene, above) + caption_height(scene, below) + scene.px(8);
    return height <= scene.area.height();
}

void lines_figure(const TextScene& scene, const Drawn& d, const AttentionData& data) {
    const auto& [map, sides, idle] = data;
    const bool own = d.id == "text";
    const auto [above, below] = row_captions(scene, d, idle);
    const bool captions = d.extras.captions;
    const float under = captions ? caption_height(scene, below) + scene.px(4) : 0;
    const float over =
        captions ? text_caption(scene, {scene.area.x0, scene.area.y0}, above, scene.palette().muted) + scene.px(4) : 0;
    const Rect rows{scene.area.x0, scene.area.y0 + over, scene.area.x1, scene.area.y1};
    const WordPlaces keys = place_words(scene, rows, sides.keys.words, Levels::up, d.extras.chips);
    WordPlaces queries = place_words(scene, rows, sides.queries.words, Levels::down, d.extras.chips);
    const float down = rows.height() - queries.height - under;
    for (Rect& rect : queries.rects) rect.y0 += down, rect.y1 += down;
    Lit lit = lit_in(scene, d.kind);
    if (!own && lit.query >= map.rows) lit.query = -1;
    draw_lines(scene, {d.id + ".line", map, queries, keys, lit.query, lit.key, parked(map, sides.keys, d.kind), idle,
                       !lit.asked});
    std::vector<float> weights;
    if (lit.asked && lit.query >= 0 && lit.query < map.rows) {
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

void matrix_figure(const TextScene& scene, const Drawn& d, const AttentionData& data) {
    const auto& [map, sides, idle] = data;
    const Lit lit = lit_in(scene, d.kind);
    const MatrixHit hit = draw_matrix(scene, {d.id + ".cells", map, sides.queries, sides.keys, lit.chosen_query,
                                              lit.key, d.kind == TextAttention::decoder, idle});
    if (d.id != "text" || hit.query < 0) return;
    take_hits(scene, d.kind, {hit.query, hit.clicked ? hit.query : -1}, {hit.key, -1});
}

/// A run's attention; none if there is none, or if its shape does not match the words.
std::optional<AttentionData> attention_data_of(const TextScene& scene, const Drawn& d) {
    const auto t = attention_of(d.run, d.kind, d.block);
    if (t == nullptr) return {};
    const int head = scene.look().head;
    AttentionData data{map_of(*t, head), sides_of(scene.now, d.run, d.kind), is_idle(*t, head)};
    if (data.map.rows != data.sides.queries.size() || data.map.columns != data.sides.keys.size()) return {};
    return data;
}

void figure_of(const TextScene& scene, const Drawn& d, const AttentionData& data) {
    scene.ui.probe.mark(d.id + ".attention", scene.area, static_cast<double>(d.block), name_of(d.kind));
    if (scene.look().matrix)
        matrix_figure(scene, d, data);
    else
        lines_figure(scene, d, data);
}

/// Rectangles of the figures: of the run and, below it, of the run with a replaced word, if there is one.
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
    const auto places_with = [&](Extras extras) {
        return places_of(
            scene, {area.x0, area.y0 + controls + gap, area.x1, area.y1 - (extras.strip ? strip + gap + line : 0)});
    };
    std::vector<std::optional<AttentionData>> data;
    for (const Drawn& d : drawn) data.push_back(attention_data_of(scene, d));
    const auto fits = [&](Extras extras) {
        const std::vector<Rect> places = places_with(extras);
        for (std::size_t i = 0; i < drawn.size(); ++i)
            if (data[i] && !has_room(scene.in(places[i]), drawn[i], *data[i], extras)) return false;
        return true;
    };
    Extras extras;
    const bool two_of_lines = scene.now.swapped && !scene.look().matrix;
    if (scene.projected() || two_of_lines)  // these may need the space of the heads' maps
        for (const Extras& some : extras_by_room)
            if (extras = some; fits(some)) break;
    const std::vector<Rect> places = places_with(extras);
    for (std::size_t i = 0; i < drawn.size(); ++i) {
        drawn[i].extras = extras;
        if (data[i]) figure_of(scene.in(places[i]), drawn[i], *data[i]);
    }
    if (places.size() > 1) {
        const float middle = (places[0].y1 + places[1].y0) / 2;
        scene.canvas.line({area.x0, middle}, {area.x1, middle}, scene.palette().line, scene.px(1));
    }
    if (!extras.strip) return;
    heads_strip(scene.in({area.x0, area.y1 - strip - line, area.x1, area.y1 - line - scene.px(2)}), kind);
    text_caption(scene, {area.x0, area.y1 - line}, note, scene.palette().muted);
}

}  // namespace vitrine
