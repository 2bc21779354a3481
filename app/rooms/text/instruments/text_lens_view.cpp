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
#include "core/text/decoded_text.h"

// Predictions after each layer, word by word.

namespace vitrine {

namespace {

std::string level_name(const Ui& ui, int level) {
    return level == 0 ? ui.text("text.lab.before_layers")
                      : ui.text("text.lab.after_layer", {{"block", ui.ordinal(level - 1)}});
}

/// The probability of a word, after its English gloss.
std::string gloss_and_probability(const TextScene& scene, const WordCandidate& best) {
    const std::string gloss = gloss_of(scene.frame, output_name(scene.ui, scene.now, best.word));
    return (gloss.empty() ? "" : gloss + "  ") + probability_text(best.probability);
}

/// The columns that fit, including the chosen one.
struct Columns {
    int first = 0, count = 0;
    float width = 0;
};
Columns columns_of(const TextScene& scene, float room, const TextTokens& said) {
    const auto wide = [&](const std::string& word, Font font) { return scene.canvas.measure(word, font).x; };
    float widest = scene.px(76);
    for (const std::string& word : said.words) widest = std::max(widest, wide(word, Font::strong));
    for (const Tensor2& level : scene.now.measures.lens)
        for (int row = 0; row < said.size(); ++row) {
            const WordCandidate best = likely_outputs(scene.now, level, row, 1).front();
            widest = std::max({widest, wide(output_name(scene.ui, scene.now, best.word), Font::body),
                               wide(gloss_and_probability(scene, best), Font::caption)});
        }
    widest += scene.px(12);
    Selection still;  // without the pointer's word, so that no column moves away from the pointer
    still.focus = scene.selection.focus;
    const int rows = said.size(), chosen = speaking_row(scene.now, still);
    Columns c;
    c.count = std::clamp(static_cast<int>(room / widest), 1, rows);
    c.first = std::clamp(chosen - c.count / 2, 0, rows - c.count);
    c.width = std::min(room / static_cast<float>(c.count), std::max(widest, scene.px(170)));
    return c;
}

/// Draws a word and its probability, which also sets the strength of its background.
void draw_cell(const TextScene& scene, const std::string& id, const WordCandidate& best, bool same) {
    const Palette& p = scene.palette();
    const Rect& a = scene.area;
    const std::string word = output_name(scene.ui, scene.now, best.word), number = gloss_and_probability(scene, best);
    const float line = scene.canvas.measure("", Font::body).y, small = scene.canvas.measure("", Font::caption).y;
    const float top = a.centre().y - (line + small) / 2;
    scene.canvas.fill(a, p.accent.with_alpha(0.08F + 0.16F * static_cast<float>(best.probability)), scene.px(5));
    scene.canvas.text({a.centre().x, top}, word, {Font::body, same ? p.text : p.muted, Align::centre});
    scene.canvas.text({a.centre().x, top + line}, number, {Font::caption, p.text, Align::centre});
    scene.ui.probe.mark(id + ".value", a, best.probability, word);
    scene.ui.probe.mark(id + ".told", a, best.probability, number);
}

/// Draws levels as rows, the last on top, and the words produced as columns; returns the height.
float draw_grid(const TextScene& scene) {
    const Palette& p = scene.palette();
    const std::vector<Tensor2>& lens = scene.now.measures.lens;
    const TextTokens said = speaking_tokens(scene.ui, scene.now);
    const int row = speaking_row(scene.now, scene.selection), levels = static_cast<int>(lens.size());
    const float names = scene.px(160), head = scene.px(34), height = scene.px(58);
    const Columns c = columns_of(scene, scene.area.width() - names, said);
    for (int i = 0; i < c.count; ++i) {
        const int at = c.first + i;
        const float x = scene.area.x0 + names + c.width * static_cast<float>(i);
        const bool chosen = at == row;
        scene.canvas.text({x + c.width / 2, scene.area.y0}, said.words[static_cast<std::size_t>(at)],
                          {Font::strong, chosen ? p.query : p.muted, Align::centre});
        for (int level = 0; level < levels; ++level) {
            const float y = scene.area.y0 + head + height * static_cast<float>(levels - 1 - level);
            const Rect cell{x + scene.px(2), y, x + c.width - scene.px(2), y + height - scene.px(4)};
            const std::string id = "text.lab.lens." + std::to_string(level) + "." + std::to_string(at);
            const WordCandidate best = likely_outputs(scene.now, lens[static_cast<std::size_t>(level)], at, 1).front();
            const Hit hit = hot_area(scene.ui, id, cell, output_name(scene.ui, scene.now, best.word));
            draw_cell(scene.in(cell), id, best, best.word == scene.now.measures.said[static_cast<std::size_t>(at)]);
            if (chosen || hit.at) scene.canvas.stroke(cell, chosen ? p.query : p.accent, scene.px(2), scene.px(5));
            if (hit.at && scene.now.model->config.has_decoder()) scene.selection.hover_target(at);
            if (hit.clicked) scene.look().target = at;
        }
    }
    if (c.count < said.size()) {  // the visible range of words
        const std::string part = scene.ui.text("text.lab.lens.part", {{"first", std::to_string(c.first + 1)},
                                                                      {"last", std::to_string(c.first + c.count)},
                                                                      {"all", std::to_string(said.size())}});
        scene.canvas.text({scene.area.x0, scene.area.y0}, fitted(scene.canvas, part, Font::caption, names),
                          {Font::caption, p.muted, Align::left});
        scene.ui.probe.mark("text.lab.lens.part",
                            {scene.area.x0, scene.area.y0, scene.area.x0 + names, scene.area.y0 + head}, c.count, part);
    }
    const float line = scene.canvas.measure("", Font::body).y;
    for (int level = 0; level < levels; ++level) {
        const float y = scene.area.y0 + head + height * (static_cast<float>(levels - 1 - level) + 0.5F) - line / 2;
        scene.canvas.text({scene.area.x0, y - scene.px(2)}, level_name(scene.ui, level),
                          {Font::body, p.text, Align::left});
    }
    return head + height * static_cast<float>(levels) + scene.px(14);
}

/// The best words after each layer, for the chosen column.
void draw_candidates(const TextScene& scene) {
    const Palette& p = scene.palette();
    const std::vector<Tensor2>& lens = scene.now.measures.lens;
    const int row = speaking_row(scene.now, scene.selection);
    const float line = std::max(scene.px(26), scene.canvas.measure("", Font::body).y), gap = scene.px(24);
    const auto levels = static_cast<float>(lens.size());
    const float width = (scene.area.width() - gap * (levels - 1)) / levels;
    const float top = scene.canvas.measure("", Font::caption).y + scene.px(6);
    const int most = std::min(6, static_cast<int>((scene.area.height() - top) / line));
    if (most < 2) return;
    for (std::size_t level = 0; level < lens.size(); ++level) {
        const float x = scene.area.x0 + (width + gap) * static_cast<float>(level);
        const std::vector<WordCandidate> best = likely_outputs(scene.now, lens[level], row, most);
        const std::string name = scene.ui.text(
            "text.lab.lens.best",
            {{"level", level_name(scene.ui, static_cast<int>(level))}, {"count", std::to_string(best.size())}});
        scene.canvas.text({x, scene.area.y0}, fitted(scene.canvas, name, Font::caption, width),
                          {Font::caption, p.muted, Align::left});
        scene.ui.probe.mark("text.lab.lens.best." + std::to_string(level),
                            {x, scene.area.y0, x + width, scene.area.y0 + top}, static_cast<double>(best.size()), name);
        float y = scene.area.y0 + top;
        for (const WordCandidate& c : best) {
            const Rect bar{x, y, x + width, y + line - scene.px(3)};
            scene.canvas.fill(bar, p.line.with_alpha(0.35F), scene.px(4));
            scene.canvas.fill({bar.x0, bar.y0, bar.x0 + width * static_cast<float>(c.probability), bar.y1},
                              p.accent.with_alpha(0.45F), scene.px(4));
            const float at = bar.centre().y - scene.canvas.measure("", Font::body).y / 2;
            const std::string word = output_name(scene.ui, scene.now, c.word), whole = glossed(scene.frame, word);
            const float room =
                width - scene.px(24) - scene.canvas.measure(probability_text(c.probability), Font::mono).x;
            scene.canvas.text({bar.x0 + scene.px(8), at},
                              scene.canvas.measure(whole, Font::body).x <= room ? whole : word,
                              {Font::body, p.text, Align::left});
            scene.canvas.text({bar.x1 - scene.px(6), at}, probability_text(c.probability),
                              {Font::mono, p.text, Align::right});
            y += line;
        }
    }
}

void lens_view(const TextScene& scene) {
    const float height = draw_grid(scene);
    scene.ui.probe.mark("text.lab.lens", scene.area, static_cast<double>(scene.now.measures.lens.size()));
    draw_candidates(below(scene, height));
}

/// The probability of every word after each layer, for the row in view.
Table lens_table(const TextResult& now, const Selection& selection) {
    const std::vector<Tensor2>& lens = now.measures.lens;
    const auto row = static_cast<std::size_t>(speaking_row(now, selection));
    std::vector<std::string> rows, columns;
    for (std::size_t level = 0; level < lens.size(); ++level) rows.push_back("z." + std::to_string(level));
    for (int i = 0; i < static_cast<int>(lens[0].shape()[1]); ++i) columns.push_back(output_word(now, i));
    Table t = table_of("lens", std::move(rows), std::move(columns));
    for (const Tensor2& level : lens)
        t.values.insert(t.values.end(), &level(row, 0), &level(row, 0) + level.shape()[1]);
    return t;
}

TextChapter lens_chapter(const TextResult& now, const TextLook&) {
    return now.model->config.has_decoder() ? TextChapter::generator : TextChapter::cls;
}

/// The probability, by level, of A's output word in the row in view.
Comparison lens_compared(const TextPair& pair) {
    Comparison all;
    const auto said = static_cast<std::size_t>(
        pair.a.now.measures.said[static_cast<std::size_t>(speaking_row(pair.a.now, pair.a.selection))]);
    const std::string word = output_name(pair.ui, pair.a.now, static_cast<int>(said));
    add_both(pair, all,
             {.id = "difference.text_lens",
              .title = pair.ui.text("difference.text_lens", {{"word", in_quotes(word)}}),
              .name = [&ui = pair.ui](int level) { return level_name(ui, level); }},
             [&](const TextLooked& run) {
                 std::vector<float> by_level;
                 const auto row = static_cast<std::size_t>(speaking_row(run.now, run.selection));
                 for (const Tensor2& level : run.now.measures.lens)
                     if (same_vocabulary(pair)) by_level.push_back(level(row, said));
                 return by_level;
             });
    return all;
}

}  // namespace

TextInstrumentRow text_lens_instrument() {
    return {.instrument = TextInstrument::lens,
            .view = lens_view,
            .chapter = lens_chapter,
            .table = lens_table,
            .compared = lens_compared};
}

}  // namespace vitrine
