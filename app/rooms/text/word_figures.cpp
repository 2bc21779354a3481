#include <algorithm>
#include <cmath>

#include "app/rooms/figures/alignment.h"
#include "app/rooms/text/text_scene.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/heatmap.h"
#include "app/ui/widgets/hot_area.h"
#include "app/ui/widgets/number.h"
#include "app/ui/widgets/shortened.h"
#include "core/text/vocabulary.h"

// Figures of words: rows, lines between them, and matrices with words beside them.

namespace vitrine {

namespace {

constexpr int most_levels = 4;

/// Left ends of words on `levels` levels: words on a level do not touch, and each word starts right of the one before
/// and ends right of the ones that its lines pass, so that these lines are straight. Returns the total width.
float spread(const std::vector<float>& widths, int levels, float gap, std::vector<float>& left) {
    std::vector<float> end(static_cast<std::size_t>(levels), 0.0F);
    left.clear();
    float last = 0, width = 0;
    for (std::size_t i = 0; i < widths.size(); ++i) {
        float& own = end[i % static_cast<std::size_t>(levels)];
        float at = std::max(own, i == 0 ? 0.0F : last + gap * 2);
        for (std::size_t passed = 1; passed <= i % static_cast<std::size_t>(levels); ++passed)
            at = std::max(at, left[i - passed] + widths[i - passed] + gap - widths[i]);
        left.push_back(at);
        own = at + widths[i] + gap;
        last = at;
        width = std::max(width, at + widths[i]);
    }
    return width;
}

/// Words above the columns of a matrix, on as many levels as needed; `levels_of_columns` returns the number.
struct ColumnWords {
    const std::vector<std::string>& words;
    float cell;  // width of a column
    int lit;
};
int levels_of_columns(const TextScene& scene, const ColumnWords& c) {
    for (int levels = 1; levels < most_levels; ++levels) {
        bool fits = true;
        for (std::size_t i = 0; i + static_cast<std::size_t>(levels) < c.words.size(); ++i) {
            const float both = scene.canvas.measure(c.words[i], Font::caption).x +
                               scene.canvas.measure(c.words[i + static_cast<std::size_t>(levels)], Font::caption).x;
            fits = fits && both / 2 + scene.px(6) <= c.cell * static_cast<float>(levels);
        }
        if (fits) return levels;
    }
    return most_levels;
}

void draw_column_words(const TextScene& scene, Rect cells, const ColumnWords& c, int levels) {
    const float line = scene.canvas.measure("", Font::caption).y;
    for (std::size_t i = 0; i < c.words.size(); ++i) {
        const float x = cells.x0 + c.cell * (static_cast<float>(i) + 0.5F);
        const int level = static_cast<int>(i) % levels;
        const float y = cells.y0 - scene.px(4) - line * static_cast<float>(level + 1);
        const bool lit = static_cast<int>(i) == c.lit;
        if (level > 0) scene.canvas.line({x, y + line}, {x, cells.y0 - scene.px(2)}, scene.palette().line, scene.px(1));
        scene.canvas.text({x, y}, c.words[i],
                          {Font::caption, lit ? scene.palette().key : scene.palette().muted, Align::centre});
    }
}

}  // namespace

WordPlaces place_words(const TextScene& scene, Rect rect, const std::vector<std::string>& words, Levels way,
                       Chips chips) {
    WordPlaces places;
    const float gap = scene.px(8);
    std::vector<float> widths, left;
    float width = 0;
    for (places.levels = 1; places.levels <= most_levels; ++places.levels) {
        places.font = places.levels <= 2 && chips != Chips::small ? Font::body : Font::caption;
        widths.clear();
        for (const std::string& word : words) {
            const std::string gloss = chips == Chips::glossed ? gloss_of(scene.frame, word) : std::string();
            places.glossed = places.glossed || !gloss.empty();
            const float inside =
                std::max(scene.canvas.measure(word, places.font).x, scene.canvas.measure(gloss, Font::caption).x);
            widths.push_back(inside + scene.px(places.font == Font::body ? 16 : 10));
        }
        width = spread(widths, places.levels, gap, left);
        if (width <= rect.width()) break;
    }
    places.levels = std::min(places.levels, most_levels);
    const float below = places.glossed ? scene.canvas.measure("", Font::caption).y : 0;
    const float height = scene.canvas.measure("", places.font).y + below + scene.px(chips == Chips::small ? 4 : 8),
                step = height + scene.px(4);
    places.height = step * static_cast<float>(places.levels) - scene.px(4);
    // The remaining width is added between the words, as long as the row still reads as one.
    const auto count = static_cast<float>(std::max<std::size_t>(1, words.size()));
    const float more = std::clamp((rect.width() - width) / count, 0.0F, scene.px(30));
    const float start = rect.x0 + std::max(0.0F, (rect.width() - width - more * (count - 1)) / 2);
    for (std::size_t i = 0; i < words.size(); ++i) {
        const int level = static_cast<int>(i) % places.levels;
        const int down = way == Levels::down ? level : places.levels - 1 - level;
        const float x = start + left[i] + more * static_cast<float>(i);
        const float y = rect.y0 + step * static_cast<float>(down);
        places.rects.push_back({x, y, x + widths[i], y + height});
    }
    return places;
}

WordHit draw_words(const TextScene& scene, const WordRow& row) {
    const Palette& p = scene.palette();
    WordHit result;
    for (int i = 0; i < row.tokens.size(); ++i) {
        const auto at = static_cast<std::size_t>(i);
        const Rect rect = row.places.rects[at];
        const std::string& word = row.tokens.words[at];
        const std::string id = row.id + "." + std::to_string(i);
        const Hit hit = hot_area(scene.ui, id, rect, word);
        if (row.tokens.unknown[at] != 0)
            tooltip(scene.ui, scene.ui.text("text.unknown_tip", {{"word", word}}));
        else
            tooltip(scene.ui, scene.ui.text("text.word_tip", {{"word", glossed(scene.frame, word)},
                                                              {"id", std::to_string(row.tokens.ids[at])}}));
        const bool chosen = i == row.chosen, special = row.tokens.ids[at] < static_cast<int>(special_words.size());
        const float rounding = scene.px(6);
        scene.canvas.fill(rect, p.raised, rounding);
        if (at < row.weights.size())
            scene.canvas.fill(rect, p.accent.with_alpha(0.5F * std::clamp(row.weights[at], 0.0F, 1.0F)), rounding);
        if (chosen && row.weights.empty()) scene.canvas.fill(rect, row.color.with_alpha(0.30F), rounding);
        if (row.tokens.unknown[at] != 0) hatch(scene.canvas, rect, p.danger.with_alpha(0.5F), scene.px(7));
        if (chosen || hit.at || i == row.hovered)
            scene.canvas.stroke(rect, chosen ? row.color : p.accent, scene.px(2), rounding);
        const float line = scene.canvas.measure("", row.places.font).y;
        const bool plain = !chosen && row.weights.empty();  // muted words are legible on a plain background only
        const Color ink = row.tokens.unknown[at] != 0 ? p.danger : special && plain ? p.muted : p.text;
        const float below = row.places.glossed ? scene.canvas.measure("", Font::caption).y : 0;
        scene.canvas.text({rect.centre().x, rect.centre().y - (line + below) / 2}, word,
                          {row.places.font, ink, Align::centre});
        if (const std::string gloss = gloss_of(scene.frame, word); row.places.glossed && !gloss.empty()) {
            scene.canvas.text({rect.centre().x, rect.centre().y + (line - below) / 2}, gloss,
                              {Font::caption, plain ? p.muted : p.text, Align::centre});
            scene.ui.probe.mark(row.id + ".gloss." + std::to_string(i), rect, 0, gloss);
        }
        if (hit.at) result.hovered = i;
        if (hit.clicked) result.clicked = i;
    }
    return result;
}

void draw_lines(const TextScene& scene, const WordLines& lines) {
    const ColourScale scale{ColourMap::sequential, 0, 1, Curve::root};
    const bool any = !lines.all && (lines.query >= 0 || lines.key >= 0);
    constexpr float least = 0.02F, pale_strength = 0.28F;
    float strongest = 0, others = 0;
    const auto draw = [&](int i, int j, bool lit) {
        const float weight = lines.map.at(i, j);
        const bool pale = i < static_cast<int>(lines.pale.size()) && lines.pale[static_cast<std::size_t>(i)] != 0;
        const Rect &from = lines.keys.rects[static_cast<std::size_t>(j)],
                   &to = lines.queries.rects[static_cast<std::size_t>(i)];
        const bool below = to.y0 > from.y0;
        const std::vector<Point> points =
            curve_between(way_past_words(lines.keys.rects, static_cast<std::size_t>(j), below, scene.px(8)),
                          way_past_words(lines.queries.rects, static_cast<std::size_t>(i), !below, scene.px(8)));
        const bool weak = lines.idle || (lit && pale && i != lines.query);
        const float strength = weak ? pale_strength : lit ? 0.95F : faint_curve;
        strongest = std::max(strongest, strength);
        if (!lit) {  // thin and without colour, beside those of the chosen word
            others = std::max(others, strength);
            return scene.canvas.polyline(points, scene.palette().muted.with_alpha(strength),
                                         std::max(scene.px(1), scene.px(5) * weight));
        }
        scene.canvas.polyline(points,
                              scene.palette().accent.with_alpha(
                                  strength * std::max(0.7F, scale.position(weight))),  // large: thick, opaque
                              std::max(scene.px(1), scene.px(10) * weight));
    };
    for (const bool lit : {false, true})  // those of the chosen word are above the others
        for (int i = 0; i < lines.map.rows && i < static_cast<int>(lines.queries.rects.size()); ++i)
            for (int j = 0; j < lines.map.columns && j < static_cast<int>(lines.keys.rects.size()); ++j)
                if (lit == (!any || i == lines.query || j == lines.key) && lines.map.at(i, j) >= least) draw(i, j, lit);
    scene.ui.probe.mark(lines.id + ".others", scene.area, static_cast<double>(others));
    scene.ui.probe.mark(lines.id, scene.area, static_cast<double>(strongest));
    if (lines.query < 0 || lines.query >= lines.map.rows) return;
    for (int j = 0; j < lines.map.columns; ++j)
        scene.ui.probe.mark(lines.id + "." + std::to_string(j), lines.keys.rects[static_cast<std::size_t>(j)],
                            static_cast<double>(lines.map.at(lines.query, j)),
                            number_text(static_cast<double>(lines.map.at(lines.query, j))));
}

namespace {

/// The distance at which lines of words do not touch: a pixel of each is blank.
float pitch_of_words(const TextScene& scene) { return scene.canvas.measure("", Font::caption).y - scene.px(1); }

}  // namespace

RowWords row_words(const TextScene& scene, const std::vector<std::string>& words, float height) {
    constexpr float whole = 12;  // lines: the width up to which no name is cut
    const float line = pitch_of_words(scene), gap = scene.px(8);
    const auto count = static_cast<int>(words.size());
    RowWords places;
    places.every = std::max(1, static_cast<int>(std::ceil(line / (2 * height))));
    places.columns = height * static_cast<float>(places.every) >= line ? 1 : 2;
    const auto width_of = [&](int row) {
        const bool there = row >= 0 && row < count;
        return there ? scene.canvas.measure(words[static_cast<std::size_t>(row)], Font::caption).x : 0;
    };
    auto& [first, second] = places.widths;
    float both = 0;  // of a name and the longer one beside it
    for (int i = 0; i < count; ++i) {
        float& widest = places.widths[places.column_of(i)];
        widest = std::max(widest, width_of(i));
        if (places.column_of(i) > 0)
            both = std::max(both, width_of(i) + std::max(width_of(i - places.every), width_of(i + places.every)));
    }
    both = std::max(both, whole * line);
    places.cut = places.columns > 1 && first + second > both;
    if (places.cut) {  // the longer column is narrowed first
        const float even = both / 2, shorter = std::min({first, second, even});
        first = std::min(first, both - shorter), second = std::min(second, both - shorter);
    }
    places.starts[0] = gap;
    places.starts[1] = gap + first + gap;
    places.width = places.starts[places.columns - 1] + places.widths[places.columns - 1] + scene.px(2);
    return places;
}

void draw_row_words(const TextScene& scene, Rect cells, const NamedRows& rows) {
    const Palette& p = scene.palette();
    const auto count = static_cast<int>(rows.words.size());
    const float line = scene.canvas.measure("", Font::caption).y;
    const float height = cells.height() / static_cast<float>(count);
    const bool left = rows.side == Side::left;
    for (int i = 0; i < count; ++i) {
        const bool lit = i == rows.lit;
        const bool beside_lit = rows.lit >= 0 && rows.places.column_of(i) == rows.places.column_of(rows.lit) &&
                                static_cast<float>(std::abs(i - rows.lit)) * height < pitch_of_words(scene);
        if (!lit && (i % rows.places.every != 0 || beside_lit)) continue;
        const float away = rows.places.start_of(i);
        const float y = cells.y0 + height * (static_cast<float>(i) + 0.5F),
                    x = left ? cells.x0 - away : cells.x1 + away;
        if (rows.places.column_of(i) > 0)
            scene.canvas.line({left ? cells.x0 - scene.px(3) : cells.x1 + scene.px(3), y},
                              {left ? x + scene.px(3) : x - scene.px(3), y}, p.line, scene.px(1));
        const std::string& word = rows.words[static_cast<std::size_t>(i)];
        const std::string told = shortened(word, [&](const std::string& some) {
            return scene.canvas.measure(some, Font::caption).x <= rows.places.widths[rows.places.column_of(i)] + 0.5F;
        });
        scene.canvas.text({x, y - line / 2}, told,
                          {Font::caption, lit ? p.query : p.muted, left ? Align::right : Align::left});
        const float width = scene.canvas.measure(told, Font::caption).x;
        scene.ui.probe.mark(rows.id + "." + std::to_string(i),
                            {left ? x - width : x, y - line / 2, left ? x : x + width, y + line / 2}, i, word);
    }
}

MatrixHit draw_matrix(const TextScene& scene, const WordMatrix& m) {
    const Palette& p = scene.palette();
    const float line = scene.canvas.measure("", Font::caption).y;
    const Rect rect = scene.area;
    const auto columns = static_cast<float>(m.map.columns), rows = static_cast<float>(m.map.rows);
    // Row words take width, column words take height, and each depends on what the other leaves.
    RowWords places = row_words(scene, m.queries.words, rect.height());
    float left = 0, room = 0, top = 0, height = 0;
    int levels = 1;
    for (int i = 0; i < 2; ++i) {
        left = places.width + scene.px(4);
        room = rect.width() - left;
        levels = levels_of_columns(scene, {m.keys.words, std::min(room / columns, scene.px(60)), -1});
        top = line * static_cast<float>(levels) + scene.px(6);
        height = std::clamp((rect.height() - top) / rows, scene.px(3), scene.px(44));
        places = row_words(scene, m.queries.words, height);
    }
    left = places.width + scene.px(4);
    room = rect.width() - left;
    const float cell = std::min(room / columns, scene.px(60));
    const Rect cells{rect.x0 + left, rect.y0 + top, rect.x0 + left + cell * columns, rect.y0 + top + height * rows};
    scene.canvas.heat_map(cells, {m.map.weights.data(), m.map.rows, m.map.columns, m.scale});
    const GridSize size{m.map.rows, m.map.columns};
    if (m.causal)
        for (int i = 0; i < m.map.rows; ++i)
            if (i + 1 < m.map.columns) {
                const Rect from = cell_rect(cells, size, {i, i + 1});
                hatch(scene.canvas, {from.x0, from.y0, cells.x1, from.y1}, p.line, scene.px(8));
            }
    if (m.idle) hatch(scene.canvas, cells, p.muted, scene.px(7));
    scene.canvas.stroke(cells.inset(-scene.px(1)), p.line, scene.px(1));
    MatrixHit result;
    const Hit hit = hot_area(scene.ui, m.id, cells, {}, {size.rows, size.columns});
    if (const auto at = hit.at ? cell_at(cells, size, *hit.at) : std::nullopt) {
        result = {at->row, at->column, hit.clicked};
        outline_cell(scene.canvas, scene.ui, cell_rect(cells, size, *at), p.accent);
        readout(scene.ui, std::vector<std::string>{m.queries.words[static_cast<std::size_t>(at->row)] + " → " +
                                                       m.keys.words[static_cast<std::size_t>(at->column)],
                                                   number_text(static_cast<double>(m.map.at(at->row, at->column)))});
    }
    draw_column_words(scene, cells, {m.keys.words, cell, result.key >= 0 ? result.key : m.key}, levels);
    draw_row_words(scene, cells,
                   {m.id + ".row", m.queries.words, places, Side::left, result.query >= 0 ? result.query : m.query});
    if (m.query >= 0 && m.query < m.map.rows) {
        const Rect row = cell_rect(cells, size, {m.query, 0});
        outline_cell(scene.canvas, scene.ui, {cells.x0, row.y0, cells.x1, row.y1}, p.query);
    }
    return result;
}

}  // namespace vitrine
