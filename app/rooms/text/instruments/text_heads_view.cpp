#include <algorithm>
#include <cmath>

#include "app/rooms/text/instruments/text_instrument.h"
#include "app/rooms/text/text_difference.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/heatmap.h"
#include "app/ui/widgets/hot_area.h"
#include "app/ui/widgets/number.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "app/workspace/text_look.h"
#include "app/workspace/text_result.h"
#include "core/measures/text/text_heads.h"
#include "core/transformer/block_trace.h"

// All heads of all layers for a kind of attention.

namespace vitrine {

namespace {

/// A small map with the words of its axes.
struct SmallMap {
    int block, head;
    Rect rect;
    const AttentionTrace& trace;
    const TextSides& sides;
};

/// Hatches masked cells, row by row.
void hatch_masked(const TextScene& scene, const SmallMap& m, GridSize size) {
    for (int i = 0; i < size.rows; ++i) {
        int last = size.columns;
        while (last > 0 && std::isinf(m.trace.scores(static_cast<std::size_t>(m.head), static_cast<std::size_t>(i),
                                                     static_cast<std::size_t>(last - 1))))
            --last;
        if (last == size.columns) continue;
        const Rect first = cell_rect(m.rect, size, {i, last});
        hatch(scene.canvas, {first.x0, first.y0, m.rect.x1, first.y1}, scene.palette().line, scene.px(7));
    }
}

void draw_small(const TextScene& scene, const SmallMap& m) {
    const Palette& p = scene.palette();
    const AttentionMap map = map_of(m.trace, m.head);
    const GridSize size{map.rows, map.columns};
    scene.canvas.heat_map(m.rect,
                          {map.weights.data(), map.rows, map.columns, {ColourMap::sequential, 0, 1, Curve::root}});
    hatch_masked(scene, m, size);
    const std::string name = text_head_name(scene.ui, m.block, m.head);
    const std::string id = "text.lab.map." + std::to_string(m.block) + "." + std::to_string(m.head);
    const Hit hit = hot_area(scene.ui, id, m.rect, name, {size.rows, size.columns});
    scene.canvas.stroke(m.rect, hit.at ? p.accent : p.line, scene.px(hit.at ? 2 : 1));
    const auto at = hit.at ? cell_at(m.rect, size, *hit.at) : std::nullopt;
    if (!at) return;
    outline_cell(scene.canvas, scene.ui, cell_rect(m.rect, size, *at), p.accent);
    const auto weight = static_cast<double>(map.at(at->row, at->column));
    readout(scene.ui, std::vector<std::string>{name,
                                               m.sides.queries.words[static_cast<std::size_t>(at->row)] + " → " +
                                                   m.sides.keys.words[static_cast<std::size_t>(at->column)],
                                               number_text(weight)});
    scene.ui.probe.mark(id + ".value", m.rect, weight);
    const TextAttention kind = kind_in(scene.now, scene.look());
    kind == TextAttention::encoder ? scene.selection.hover_source(at->row) : scene.selection.hover_target(at->row);
    if (kind == TextAttention::cross) scene.selection.hover_source(at->column);
    if (hit.clicked) open_head(scene.draft(), scene.now, m.block, m.head);
}

/// Width of the rows' words beside the first map of a line; 0 if they do not fit.
float row_words_width(const TextScene& scene, const TextTokens& words, float height) {
    const float line = scene.canvas.measure("", Font::caption).y;
    if (height < line * static_cast<float>(words.size()) * 0.92F) return 0;
    float width = 0;
    for (const std::string& word : words.words) width = std::max(width, scene.canvas.measure(word, Font::caption).x);
    return width + scene.px(10);
}

void heads_view(const TextScene& scene) {
    const TextAttention kind = kind_in(scene.now, scene.look());
    kind_controls(scene);
    const TextScene figure = below(scene, scene.px(52));
    const TextSides sides = sides_of(scene.now, scene.now.run, kind);
    const int blocks = blocks_of(scene.now.model->config, kind), heads = scene.now.model->config.heads;
    const float line = scene.canvas.measure("", Font::caption).y, gap = scene.px(14);
    const float high = figure.area.height() / static_cast<float>(blocks) - line - gap;
    const float left = row_words_width(scene, sides.queries, high);
    const float wide = (figure.area.width() - left) / static_cast<float>(heads) - gap;
    const float width = std::min(wide, high * 1.6F);
    for (int block = 1; block <= blocks; ++block) {
        const auto trace = attention_of(scene.now.run, kind, block);
        if (trace == nullptr) continue;
        const float y = figure.area.y0 + (high + line + gap) * static_cast<float>(block - 1);
        for (int head = 0; head < heads; ++head) {
            const float x = figure.area.x0 + left + (width + gap) * static_cast<float>(head);
            scene.canvas.text({x, y}, text_head_name(scene.ui, block, head),
                              {Font::caption, scene.palette().muted, Align::left});
            draw_small(scene, {block, head, {x, y + line + scene.px(3), x + width, y + line + high}, *trace, sides});
        }
        const float cell = (high - scene.px(3)) / static_cast<float>(sides.queries.size());
        for (int i = 0; left > 0 && i < sides.queries.size(); ++i)
            scene.canvas.text({figure.area.x0 + left - scene.px(8),
                               y + line + scene.px(3) + cell * (static_cast<float>(i) + 0.5F) - line / 2},
                              sides.queries.words[static_cast<std::size_t>(i)],
                              {Font::caption, scene.palette().muted, Align::right});
    }
    scene.ui.probe.mark("text.lab.heads", figure.area, blocks * heads, name_of(kind));
}

/// All weights: a row for each head and query, a column for each key.
Table heads_table(const TextResult& now, const Selection& selection) {
    const TextAttention kind = kind_in(now, selection.focus.text);
    const TextSides sides = sides_of(now, now.run, kind);
    std::vector<std::string> rows;
    std::vector<float> values;
    for (int block = 1; block <= blocks_of(now.model->config, kind); ++block) {
        const auto t = attention_of(now.run, kind, block);
        for (int head = 0; t != nullptr && head < now.model->config.heads; ++head) {
            for (int i = 0; i < sides.queries.size(); ++i)
                rows.push_back(std::string(name_of(kind)) + "." + std::to_string(block) + ".head." +
                               std::to_string(head) + "." + std::to_string(i) + " " +
                               sides.queries.words[static_cast<std::size_t>(i)]);
            const std::vector<float> own = map_of(*t, head).weights;
            values.insert(values.end(), own.begin(), own.end());
        }
    }
    Table table = table_of("attention", std::move(rows), sides.keys.words);
    table.values = std::move(values);
    return table;
}

TextChapter heads_chapter(const TextResult& now, const TextLook& look) {
    return chapter_of_kind(now, kind_in(now, look));
}

Comparison heads_compared(const TextPair& pair) {
    Comparison all;
    compare_attention(pair, all, kind_in(pair.a.now, pair.a.selection.focus.text));
    return all;
}

}  // namespace

TextInstrumentRow text_heads_instrument() {
    return {.instrument = TextInstrument::heads,
            .view = heads_view,
            .measured = false,
            .chapter = heads_chapter,
            .table = heads_table,
            .compared = heads_compared};
}

}  // namespace vitrine
