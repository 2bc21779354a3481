#include "app/rooms/figures/alignment.h"

#include <algorithm>
#include <array>

#include "app/ui/probe.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/hot_area.h"
#include "app/ui/widgets/number.h"

namespace vitrine {

namespace {

constexpr float least_line = 0.02F;  // smaller weights are not drawn
constexpr std::size_t told = 4;      // weights in a readout

/// The number of words in each line, given the words' widths and the width `room` of a line.
std::vector<std::size_t> words_per_line(const std::vector<float>& widths, float gap, float room) {
    std::vector<std::size_t> counts = {0};
    float x = 0;
    for (const float width : widths) {
        if (counts.back() > 0 && x + width > room) {
            counts.push_back(0);
            x = 0;
        }
        ++counts.back();
        x += width + gap;
    }
    return counts;
}

/// The hovered or focused word; −1: none.
int pointed_word(const Ui& ui, const std::string& id, std::span<const std::string> words, const WordRects& places) {
    int pointed = -1;
    for (std::size_t i = 0; i < words.size(); ++i)
        if (hot_area(ui, id + std::to_string(i), places.rects[i], words[i]).at) pointed = static_cast<int>(i);
    return pointed;
}

void draw_words(Canvas& canvas, const Ui& ui, std::span<const std::string> words, const WordRects& places, Color ink,
                int pointed) {
    const Palette& p = ui.theme.palette;
    const float line = canvas.measure("", places.font).y, rounding = ui.theme.px(5);
    for (std::size_t i = 0; i < words.size(); ++i) {
        const Rect rect = places.rects[i];
        canvas.fill(rect, p.raised, rounding);
        if (static_cast<int>(i) == pointed) canvas.stroke(rect, p.accent, ui.theme.px(2), rounding);
        canvas.text({rect.centre().x, rect.centre().y - line / 2}, words[i],
                    {places.font, is_sign_or_special(words[i]) ? p.muted : ink, Align::centre});
    }
}

struct Pointed {
    int key = -1, query = -1;
    bool any() const { return key >= 0 || query >= 0; }
    bool lights(std::size_t q, std::size_t k) const {
        return static_cast<int>(q) == query || static_cast<int>(k) == key;
    }
};

/// Shows a readout of the largest weights of the hovered word.
void tell_weights(const Ui& ui, const Alignment& a, const Pointed& pointed) {
    std::vector<std::pair<float, std::string>> weights;
    if (pointed.query >= 0)
        for (std::size_t k = 0; k < a.keys.size(); ++k)
            weights.emplace_back(a.weights[static_cast<std::size_t>(pointed.query) * a.keys.size() + k], a.keys[k]);
    else
        for (std::size_t q = 0; q < a.queries.size(); ++q)
            weights.emplace_back(a.weights[q * a.keys.size() + static_cast<std::size_t>(pointed.key)], a.queries[q]);
    std::ranges::stable_sort(weights, [](const auto& x, const auto& y) { return x.first > y.first; });
    weights.resize(std::min(weights.size(), told));
    std::vector<std::string> lines;
    for (const auto& [weight, word] : weights) lines.push_back(word + "  " + percent_text(static_cast<double>(weight)));
    readout(ui, lines);
}

}  // namespace

bool is_sign_or_special(const std::string& word) {
    static constexpr std::array signs = {".", ",", "?", "\"", "、", "。"};
    return std::ranges::find(signs, word) != signs.end() || (word.size() > 2 && word.front() == '[');
}

std::vector<Point> way_past_words(std::span<const Rect> words, std::size_t word, bool below, float gap) {
    const Rect& own = words[word];
    std::vector<std::pair<float, float>> levels;  // from the word to the lines: upper and lower edge
    for (const Rect& other : words)
        if (below ? other.y0 > own.y0 : other.y0 < own.y0) levels.emplace_back(other.y0, other.y1);
    std::ranges::sort(levels);
    levels.erase(std::ranges::unique(levels).begin(), levels.end());
    if (!below) std::ranges::reverse(levels);
    float x = own.centre().x;
    std::vector<Point> way = {{x, below ? own.y1 : own.y0}};
    for (const auto& [top, bottom] : levels) {
        for (const Rect& other : words)
            if (other.y0 == top && x > other.x0 - gap / 2 && x < other.x1 + gap / 2)
                x = x < other.centre().x ? other.x0 - gap / 2 : other.x1 + gap / 2;
        way.push_back({x, below ? top : bottom});
        way.push_back({x, below ? bottom : top});
    }
    way.front().x = std::clamp(way[std::min<std::size_t>(1, way.size() - 1)].x, own.x0, own.x1);
    return way;
}

std::vector<Point> curve_between(const std::vector<Point>& from, const std::vector<Point>& to) {
    constexpr int pieces = 40;
    std::vector<Point> points = from;
    const Point a = from.back(), b = to.back();
    for (int i = 1; i < pieces; ++i) {
        const float t = static_cast<float>(i) / pieces, s = t * t * (3 - 2 * t);
        points.push_back({a.x + (b.x - a.x) * s, a.y + (b.y - a.y) * t});
    }
    points.insert(points.end(), to.rbegin(), to.rend());
    return points;
}

WordRects place_words_in(const Canvas& canvas, const Theme& theme, Rect room, std::span<const std::string> words) {
    WordRects placed;
    if (words.empty()) return placed;
    std::vector<float> widths;
    std::vector<std::size_t> lines;
    float gap = 0, padding = 0;
    for (const Font font : {Font::body, Font::caption}) {
        placed.font = font;
        padding = theme.px(font == Font::body ? 7 : 4);
        gap = theme.px(font == Font::body ? 8 : 5);
        widths.clear();
        for (const std::string& word : words) widths.push_back(canvas.measure(word, font).x + 2 * padding);
        lines = words_per_line(widths, gap, room.width());
        if (lines.size() == 1) break;
    }
    const float height = canvas.measure("", placed.font).y + theme.px(6), pitch = height + theme.px(4);
    std::size_t word = 0;
    for (std::size_t line = 0; line < lines.size(); ++line) {
        float taken = -gap;
        for (std::size_t i = word; i < word + lines[line]; ++i) taken += widths[i] + gap;
        const auto count = static_cast<float>(lines[line]);
        const float more = std::clamp((room.width() - taken) / std::max(count - 1, 1.0F), 0.0F, theme.px(26));
        float x = room.x0 + std::max(0.0F, (room.width() - taken - more * (count - 1)) / 2);
        const float y = room.y0 + pitch * static_cast<float>(line);
        for (std::size_t i = 0; i < lines[line]; ++i, ++word) {
            placed.rects.push_back({x, y, x + widths[word], y + height});
            x += widths[word] + gap + more;
        }
    }
    placed.height = pitch * static_cast<float>(lines.size()) - (pitch - height);
    return placed;
}

void alignment_figure(Canvas& canvas, const Ui& ui, Rect rect, const Alignment& a) {
    if (a.keys.empty() || a.queries.empty()) return;
    const Theme& theme = ui.theme;
    const WordRects above = place_words_in(canvas, theme, rect, a.keys);
    std::vector<std::string> queries(a.queries.begin(), a.queries.end());
    WordRects below = place_words_in(canvas, theme, rect, queries);
    while (queries.size() > 1 && above.height + theme.px(30) + below.height > rect.height()) {
        queries.pop_back();  // does not fit
        below = place_words_in(canvas, theme, rect, queries);
    }
    const float top = std::max(rect.y0 + above.height + theme.px(30), rect.y1 - below.height);
    for (Rect& r : below.rects) {
        r.y0 += top - rect.y0;
        r.y1 += top - rect.y0;
    }
    const Pointed pointed{pointed_word(ui, a.id + ".key.", a.keys, above),
                          pointed_word(ui, a.id + ".query.", queries, below)};
    for (std::size_t q = 0; q < queries.size(); ++q) {
        const bool pale = is_sign_or_special(queries[q]) && queries.size() > 1;
        for (std::size_t k = 0; k < a.keys.size(); ++k) {
            const float weight = a.weights[q * a.keys.size() + k];
            if (weight < least_line) continue;
            float strength = pale ? 0.18F : 0.35F + 0.6F * weight;
            if (pointed.any()) strength = pointed.lights(q, k) ? 1.0F : 0.08F;
            canvas.polyline(curve_between(way_past_words(above.rects, k, true, theme.px(5)),
                                          way_past_words(below.rects, q, false, theme.px(5))),
                            a.color.with_alpha(strength), std::max(theme.px(1), theme.px(9) * weight));
        }
    }
    draw_words(canvas, ui, a.keys, above, theme.palette.text, pointed.key);
    draw_words(canvas, ui, queries, below, a.ink, pointed.query);
    if (pointed.any()) tell_weights(ui, a, pointed);
    ui.probe.mark(a.id, rect, static_cast<double>(queries.size()));
}

}  // namespace vitrine
