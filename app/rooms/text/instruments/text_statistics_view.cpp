#include <imgui.h>

#include <algorithm>

#include "app/rooms/text/instruments/text_instrument.h"
#include "app/rooms/text/text_difference.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/hot_area.h"
#include "app/ui/widgets/number.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "app/workspace/text_look.h"
#include "app/workspace/text_result.h"
#include "core/measures/text/text_heads.h"

// Statistics of every head as bars, with a mark for uniform attention.

namespace vitrine {

namespace {

struct HeadPlace {
    int block, head;
};

float value_at(const TextHeadStatistics::Column& c, HeadPlace at) {
    return c.values(static_cast<std::size_t>(at.block - 1), static_cast<std::size_t>(at.head));
}

/// The heads in the chosen order: by index, or by a statistic, largest first.
std::vector<HeadPlace> heads_in_order(const TextHeadStatistics& s, const std::string& by) {
    std::vector<HeadPlace> heads;
    const auto& shape = s.columns.front().values.shape();
    for (int block = 1; block <= static_cast<int>(shape[0]); ++block)
        for (int head = 0; head < static_cast<int>(shape[1]); ++head) heads.push_back({block, head});
    if (const TextHeadStatistics::Column* const column = s.column(by))
        std::ranges::stable_sort(heads,
                                 [&](HeadPlace a, HeadPlace b) { return value_at(*column, a) > value_at(*column, b); });
    return heads;
}

std::string words_of(const TextHeadStatistics::Column& c, const char* end = "") {
    return std::string("text.statistic.") + c.statistic->name + end;
}

/// A column's heading; a click sorts the heads by this statistic, a second one by their index.
void draw_title(const TextScene& scene, const TextHeadStatistics::Column& c) {
    const Palette& p = scene.palette();
    std::string& by = scene.look().lab.statistic;
    const bool on = by == c.statistic->name;
    const std::string& words = scene.ui.text(words_of(c));
    const Hit hit = hot_area(scene.ui, "text.lab.sort." + std::string(c.statistic->name), scene.area, words);
    tooltip(scene.ui, scene.ui.text(words_of(c, "_tip"), {{"count", std::to_string(c.counted)}}));
    if (hit.at) scene.canvas.fill(scene.area, p.raised, scene.px(5));
    scene.canvas.text({scene.area.x0 + scene.px(4), scene.area.y0 + scene.px(4)}, (on ? "↓ " : "") + words,
                      {Font::caption, on ? p.accent : p.text, Align::left});
    if (hit.clicked) by = on ? "" : c.statistic->name;
}

/// A bar, its number, and a mark for uniform attention.
void draw_bar(const TextScene& scene, const TextHeadStatistics::Column& c, HeadPlace at) {
    const Palette& p = scene.palette();
    const auto value = static_cast<double>(value_at(c, at));
    const std::string number = fixed_text(value, 2);
    const float line = scene.canvas.measure("", Font::mono).y,
                number_width = scene.canvas.measure("0.00", Font::mono).x;
    const Rect& a = scene.area;
    const Rect track{a.x0 + scene.px(4), a.centre().y - scene.px(6), a.x1 - number_width - scene.px(20),
                     a.centre().y + scene.px(6)};
    scene.canvas.fill(track, p.line.with_alpha(0.5F), scene.px(3));
    const float length = track.width() * static_cast<float>(std::clamp(value, 0.0, 1.0));
    if (length > 0) scene.canvas.fill({track.x0, track.y0, track.x0 + length, track.y1}, p.query, scene.px(3));
    const float even = track.x0 + track.width() * static_cast<float>(c.even);
    scene.canvas.line({even, track.y0 - scene.px(4)}, {even, track.y1 + scene.px(4)}, p.text, scene.px(2));
    scene.canvas.text({a.x1 - scene.px(10), a.centre().y - line / 2}, number, {Font::mono, p.text, Align::right});
    scene.ui.probe.mark(
        "text.lab.value." + std::to_string(at.block) + "." + std::to_string(at.head) + "." + c.statistic->name, a,
        value, number);
}

void statistics_view(const TextScene& scene) {
    const TextAttention kind = kind_in(scene.now, scene.look());
    kind_controls(scene);
    const TextHeadStatistics* const s = scene.now.measures.of(kind);
    if (s == nullptr || s->columns.empty()) return;
    const std::string legend = scene.ui.text("text.lab.even");
    const Palette& p = scene.palette();
    const TextScene table = below(scene, scene.px(56));
    const std::vector<HeadPlace> heads = heads_in_order(*s, scene.look().lab.statistic);
    const float foot = caption_height(scene, legend) + scene.px(8), title = scene.px(32);
    float name_width = scene.px(170);  // at least
    for (const HeadPlace at : heads)
        name_width = std::max(
            name_width, scene.canvas.measure(text_head_name(scene.ui, at.block, at.head), Font::body).x + scene.px(22));
    const float step = std::min(scene.px(46), (table.area.height() - foot - title) / static_cast<float>(heads.size()));
    const float width = (table.area.width() - name_width) / static_cast<float>(s->columns.size());
    const auto column = [&](std::size_t i, float y, float height) {
        const float x = table.area.x0 + name_width + width * static_cast<float>(i);
        return scene.in({x, y, x + width, y + height});
    };
    for (std::size_t i = 0; i < s->columns.size(); ++i)
        draw_title(column(i, table.area.y0, title - scene.px(4)), s->columns[i]);
    float y = table.area.y0 + title;
    for (const HeadPlace at : heads) {
        const Rect row{table.area.x0, y, table.area.x1, y + step - scene.px(4)};
        const std::string name = text_head_name(scene.ui, at.block, at.head);
        const Hit hit =
            hot_area(scene.ui, "text.lab.row." + std::to_string(at.block) + "." + std::to_string(at.head), row, name);
        tooltip(scene.ui, scene.ui.text("text.lab.open_tip"));
        if (hit.at) scene.canvas.fill(row, p.raised, scene.px(5));
        const float line = scene.canvas.measure("", Font::body).y;
        const float left = row.x0 + scene.px(6), right = left + scene.canvas.measure(name, Font::body).x;
        scene.canvas.text({left, row.centre().y - line / 2}, name, {Font::body, p.text, Align::left});
        scene.ui.probe.mark("text.lab.name." + std::to_string(at.block) + "." + std::to_string(at.head),
                            {left, row.y0, right, row.y1});
        for (std::size_t i = 0; i < s->columns.size(); ++i)
            draw_bar(column(i, row.y0, row.height()), s->columns[i], at);
        if (hit.clicked) open_head(scene.draft(), scene.now, at.block, at.head);
        y += step;
    }
    text_caption(scene, {table.area.x0, y + scene.px(6)}, legend, p.muted);
    scene.ui.probe.mark("text.lab.statistics", table.area, static_cast<double>(heads.size()), name_of(kind));
}

Table statistics_table(const TextResult& now, const Selection& selection) {
    const TextHeadStatistics* const s = now.measures.of(kind_in(now, selection.focus.text));
    if (s == nullptr || s->columns.empty()) return {};
    const std::vector<HeadPlace> heads = heads_in_order(*s, selection.focus.text.lab.statistic);
    std::vector<std::string> rows, columns;
    for (const HeadPlace at : heads)
        rows.push_back(std::string(name_of(s->kind)) + "." + std::to_string(at.block) + ".head." +
                       std::to_string(at.head));
    rows.emplace_back("even");
    for (const TextHeadStatistics::Column& c : s->columns) columns.emplace_back(c.statistic->name);
    Table table = table_of("statistics", std::move(rows), std::move(columns));
    for (const HeadPlace at : heads)
        for (const TextHeadStatistics::Column& c : s->columns) table.values.push_back(value_at(c, at));
    for (const TextHeadStatistics::Column& c : s->columns) table.values.push_back(static_cast<float>(c.even));
    return table;
}

TextChapter statistics_chapter(const TextResult& now, const TextLook& look) {
    return chapter_of_kind(now, kind_in(now, look));
}

/// Compares the statistic that the heads are sorted by, else the first one.
Comparison statistics_compared(const TextPair& pair) {
    Comparison comparison;
    const TextAttention kind = kind_in(pair.a.now, pair.a.selection.focus.text);
    const TextHeadStatistics* const own = pair.a.now.measures.of(kind);
    if (own == nullptr || own->columns.empty()) return comparison;
    const TextHeadStatistics::Column* const chosen = own->column(pair.a.selection.focus.text.lab.statistic);
    const TextHeadStatistics::Column& shown = chosen != nullptr ? *chosen : own->columns.front();
    const int blocks = static_cast<int>(shown.values.shape()[0]), heads = static_cast<int>(shown.values.shape()[1]);
    add_both(pair, comparison,
             {.id = "difference.text_statistic",
              .title = pair.ui.text(words_of(shown)),
              .name = [&ui = pair.ui, heads](int i) { return text_head_name(ui, i / heads + 1, i % heads); },
              .cells = {blocks, heads},
              .axes = pair.ui.text("causes.axes", {{"parts", pair.ui.text("causes.head")}})},
             [&](const TextLooked& run) {
                 const TextHeadStatistics* const s = run.now.measures.of(kind);
                 const TextHeadStatistics::Column* const c = s == nullptr ? nullptr : s->column(shown.statistic->name);
                 const bool fits = c != nullptr && c->values.shape() == shown.values.shape();
                 return fits ? std::vector<float>(c->values.begin(), c->values.end()) : std::vector<float>();
             });
    return comparison;
}

}  // namespace

TextInstrumentRow text_statistics_instrument() {
    return {.instrument = TextInstrument::statistics,
            .view = statistics_view,
            .chapter = statistics_chapter,
            .table = statistics_table,
            .compared = statistics_compared};
}

}  // namespace vitrine
