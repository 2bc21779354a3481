#include <algorithm>
#include <cmath>

#include "app/rooms/text/chapter.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/widgets/heatmap.h"
#include "app/ui/widgets/hot_area.h"
#include "app/ui/widgets/number.h"
#include "core/text/typed_words.h"

// What a word must not see while it is being learned: the scores, the mask, what the softmax makes of both.

namespace vitrine {

namespace {

struct Shown {
    int block = 1, head = 0, rows = 0;
    std::vector<float> scores, masked, weights;  // (rows, rows)
};
/// q · k / √d of a head, before anything is hidden.
Shown shown_in(const TextResult& now, const TextLook& look) {
    const TextConfig& c = now.model->config;
    Shown s;
    s.block = block_in(now, TextAttention::decoder, look);
    s.head = std::clamp(look.head, 0, c.heads - 1);
    const AttentionTrace* const t = attention_of(now.run, TextAttention::decoder, s.block);
    if (t == nullptr) return s;
    s.rows = static_cast<int>(t->scores.shape()[1]);
    const auto h = static_cast<std::size_t>(s.head), n = static_cast<std::size_t>(s.rows), d = t->q.shape()[2];
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) {
            float dot = 0;
            for (std::size_t k = 0; k < d; ++k) dot += t->q(h, i, k) * t->k(h, j, k);
            s.scores.push_back(dot / std::sqrt(static_cast<float>(d)));
            s.masked.push_back(t->scores(h, i, j));
            s.weights.push_back(t->attention(h, i, j));
        }
    return s;
}

struct Square {
    const char* id;  // "text.mask.<id>" are its words
    const std::vector<float>& values;
    ColourScale scale;
    bool hides = false;  // hatched where the scores are −∞
};

void draw_square(const TextScene& scene, const Square& square, const Shown& s, float side) {
    const Palette& p = scene.palette();
    text_note(scene.in({scene.area.x0, scene.area.y0, scene.area.x0 + side, scene.area.y1}),
              scene.ui.text("text.mask." + std::string(square.id)), Font::body);
    const Rect figure{scene.area.x0, scene.area.y1 - side, scene.area.x0 + side, scene.area.y1};
    std::vector<float> values = square.values;
    for (float& x : values)
        if (!std::isfinite(x)) x = 0;
    scene.canvas.heat_map(figure, {values.data(), s.rows, s.rows, square.scale});
    const GridSize size{s.rows, s.rows};
    if (square.hides)
        for (int i = 0; i < s.rows; ++i)
            for (int j = 0; j < s.rows; ++j)
                if (!std::isfinite(s.masked[static_cast<std::size_t>(i * s.rows + j)])) {
                    const Rect cell = cell_rect(figure, size, {i, j});
                    scene.canvas.fill(cell, p.panel.with_alpha(0.6F));
                    hatch(scene.canvas, cell, p.muted, scene.px(6));
                }
    scene.canvas.stroke(figure, p.line, scene.px(1));
    const int chosen = target_in_view(scene.now, scene.selection);
    if (chosen < s.rows) {
        const Rect row = cell_rect(figure, size, {chosen, 0});
        scene.canvas.stroke({figure.x0, row.y0, figure.x1, row.y1}, p.query, scene.px(2));
    }
    const std::string id = "text.mask.figure." + std::string(square.id);
    const Hit hit = hot_area(scene.ui, id, figure, {}, {s.rows, s.rows});
    if (const auto cell = hit.at ? cell_at(figure, size, *hit.at) : std::nullopt) {
        const TextTokens queries = produced_tokens(scene.now, scene.now.run),
                         keys = target_tokens(scene.now, scene.now.run);
        const float value = square.values[static_cast<std::size_t>(cell->row * s.rows + cell->column)];
        readout(scene.ui,
                std::vector<std::string>{queries.words[static_cast<std::size_t>(cell->row)] + " ← " +
                                             keys.words[static_cast<std::size_t>(cell->column)],
                                         std::isfinite(value) ? number_text(static_cast<double>(value)) : "−∞"});
        scene.selection.hover_target(cell->row);
        if (hit.clicked) scene.look().target = cell->row;
    }
}

std::string seen_words(const TextScene& scene, const Shown& s, int row) {
    const TextTokens keys = target_tokens(scene.now, scene.now.run);
    std::string words;
    for (int j = 0; j < s.rows && j < keys.size(); ++j)
        if (std::isfinite(s.masked[static_cast<std::size_t>(row * s.rows + j)]))
            words += (words.empty() ? "" : " ") + keys.words[static_cast<std::size_t>(j)];
    return words;
}

/// Mean −log p of the right words under teacher forcing, and whether what is said by itself is the same as before.
double taught_loss(const TextResult& now) {
    if (!now.taught) return 0;
    return text_loss(now.taught->trace, {}).sum / std::max<double>(1, static_cast<double>(now.taught->wanted.size()));
}

void view(const TextScene& scene) {
    const Shown s = shown_in(scene.now, scene.look());
    if (s.rows == 0) return;
    attention_controls(scene, TextAttention::decoder, Shapes::matrix);
    const float gap = scene.px(28), below = scene.px(118), top = scene.px(50), title = scene.px(56);
    const float side = std::min((scene.area.width() - 2 * gap) / 3, scene.area.height() - top - title - below);
    const float left = scene.area.x0 + (scene.area.width() - 3 * side - 2 * gap) / 2, y = scene.area.y0 + top;
    float reach = 1e-6F;
    for (const float x : s.scores) reach = std::max(reach, std::abs(x));
    const ColourScale around{ColourMap::diverging, -reach, reach};
    const Square squares[] = {{"scores", s.scores, around, false},
                              {"masked", s.masked, around, true},
                              {"weights", s.weights, {ColourMap::sequential, 0, 1, Curve::root}, true}};
    float x = left;
    for (const Square& square : squares) {
        draw_square(scene.in({x, y, x + side, y + title + side}), square, s, side);
        x += side + gap;
    }
    const int row = std::min(target_in_view(scene.now, scene.selection), s.rows - 1);
    const TextTokens produced = produced_tokens(scene.now, scene.now.run);
    const bool open = is_on(scene.look(), "no-mask");
    const std::string told = scene.ui.text(
        open ? "text.mask.sees_all" : "text.mask.sees",
        {{"word", in_quotes(produced.words[static_cast<std::size_t>(row)])}, {"words", seen_words(scene, s, row)}});
    const Rect note{scene.area.x0, y + title + side + scene.px(14), scene.area.x1, scene.area.y1};
    const float high = text_note(scene.in(note), told, Font::body);
    scene.ui.probe.mark("text.mask.seen", note, row, told);
    const TextLanguage language = target_language(scene.now.model->task, scene.now.model->to);
    const std::string compared = scene.ui.text(
        "text.mask.compared",
        {{"loss", number_text(taught_loss(scene.now))}, {"text", join_words(scene.now.run.output, language)}});
    text_note(scene.in({note.x0, note.y0 + high + scene.px(8), note.x1, note.y1}), compared, Font::body);
    scene.ui.probe.mark("text.mask.loss", note, taught_loss(scene.now), compared);
}

std::vector<Fact> facts(const TextTold& told) {
    const int n = target_tokens(told.now, told.now.run).size();
    return {{told.ui.text("text.fact.hidden"), count_text(n * (n - 1) / 2), {}},
            {told.ui.text("text.fact.scores"), count_text(n * n), {}},
            number_fact(told.ui.text("text.fact.loss"), taught_loss(told.now))};
}

std::vector<std::string> switches(const TextTold&) { return {"no-mask", "mask-off-by-one"}; }

bool answered(const TextResult&, const TextLook& look) { return is_on(look, "no-mask"); }

}  // namespace

TextChapterRow mask_chapter() {
    return {.chapter = TextChapter::mask, .view = view, .facts = facts, .switches = switches, .answered = answered};
}

}  // namespace vitrine
