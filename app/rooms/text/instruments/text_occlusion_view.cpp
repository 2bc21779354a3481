#include <algorithm>
#include <cmath>

#include "app/rooms/panels/choices.h"
#include "app/rooms/text/instruments/text_instrument.h"
#include "app/rooms/text/text_difference.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/widgets/number.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "app/workspace/text_look.h"
#include "app/workspace/text_result.h"
#include "core/measures/text/text_occlusion.h"
#include "core/text/text_kinds.h"
#include "core/transformer/intervention.h"

// Change of an output word's probability when an input word is covered.

namespace vitrine {

namespace {

const TextOcclusion& shown(const TextResult& now, const TextLook& look) { return now.measures.under(look.lab.cover); }

/// "+16.70"; numbers that round to 0 have no sign.
std::string nats_text(double drop) {
    const std::string number = fixed_text(std::abs(drop), 2);
    return number == "0.00" ? number : (drop < 0 ? "−" : "+") + number;
}

/// For each word of a stack, the drop of the log probability of output `row` when that word is covered, in nats.
std::vector<std::optional<double>> drops_of(const TextOcclusion& map, Stack stack, int words, int row) {
    std::vector<std::optional<double>> drops(static_cast<std::size_t>(words));
    for (std::size_t i = 0; i < map.covered.size(); ++i)
        if (const ReadWord& word = map.covered[i]; word.stack == stack && word.place < words)
            drops[static_cast<std::size_t>(word.place)] =
                static_cast<double>(map.drop(i, static_cast<std::size_t>(row)));
    return drops;
}

/// The end of the colour scale: the largest change, but at least 1 nat, so that negligible ones stay pale.
double reach_of(const TextOcclusion& map) {
    double most = 1;
    for (const float x : map.drop) most = std::max(most, std::abs(static_cast<double>(x)));
    return most;
}

struct Side {
    const char* id;
    const char* title;
    Stack stack;
    TextTokens tokens;
};

/// Draws the words of one side; returns their height.
float draw_side(const TextScene& scene, const Side& side, double reach, WordHit& hit) {
    const int row = speaking_row(scene.now, scene.selection);
    const float line =
        text_caption(scene, {scene.area.x0, scene.area.y0}, scene.ui.text(side.title), scene.palette().muted) +
        scene.px(4);
    const auto drops = drops_of(shown(scene.now, scene.look()), side.stack, side.tokens.size(), row);
    const ValuedHit drawn = valued_words(below(scene, line), {side.id, side.tokens, drops, reach, nats_text, -1, {}});
    hit = drawn.words;
    return line + drawn.height + scene.px(16);
}

/// All output words at once: a row each, with a column for each covered word.
void draw_all(const TextScene& scene, double reach) {
    const TextOcclusion& map = shown(scene.now, scene.look());
    const TextTokens said = speaking_tokens(scene.ui, scene.now);
    const TextTokens source = source_tokens(scene.now, scene.now.run), own = target_tokens(scene.now, scene.now.run);
    TextTokens covered;
    for (const ReadWord& word : map.covered) {
        const TextTokens& side = word.stack == Stack::encoder ? source : own;
        covered.words.push_back(side.words[static_cast<std::size_t>(word.place)]);
    }
    AttentionMap drops{said.size(), static_cast<int>(map.covered.size()), {}};
    for (int row = 0; row < drops.rows; ++row)
        for (std::size_t i = 0; i < map.covered.size(); ++i)
            drops.weights.push_back(map.drop(i, static_cast<std::size_t>(row)));
    const float least = scene.canvas.measure("", Font::caption).y * static_cast<float>(said.size() + 4);
    if (scene.area.height() < least) return;
    const int row = speaking_row(scene.now, scene.selection);
    WordMatrix matrix{"text.lab.covered", drops, said, covered, row, -1};
    matrix.scale = {ColourMap::diverging, -static_cast<float>(reach), static_cast<float>(reach), Curve::linear};
    const MatrixHit hit = draw_matrix(scene, matrix);
    if (hit.query >= 0) scene.selection.hover_target(hit.query);
    if (hit.clicked) scene.look().target = hit.query;
}

void occlusion_view(const TextScene& scene) {
    const TextOcclusion& map = shown(scene.now, scene.look());
    const bool decodes = scene.now.model->config.has_decoder();
    const int row = speaking_row(scene.now, scene.selection);
    const TextTokens said = speaking_tokens(scene.ui, scene.now);
    const std::string& word = said.words[static_cast<std::size_t>(row)];
    const std::string title = scene.ui.text(
        "text.lab.occlusion.of",
        {{"word", in_quotes(word)},
         {"probability", probability_text(std::exp(map.log_probability[static_cast<std::size_t>(row)]))}});
    float y = text_caption(scene, {scene.area.x0, scene.area.y0}, title, scene.palette().text) + scene.px(12);
    scene.ui.probe.mark("text.lab.occlusion", scene.area, map.log_probability[static_cast<std::size_t>(row)], word);
    const double reach = reach_of(map);
    WordHit hit;
    if (const TextTokens source = source_tokens(scene.now, scene.now.run); source.size() > 0) {
        y += draw_side(below(scene, y), {"text.lab.source", "text.lab.covers_source", Stack::encoder, source}, reach,
                       hit);
        if (hit.hovered >= 0) scene.selection.hover_source(hit.hovered);
    }
    if (!decodes) return;
    y += draw_side(below(scene, y),
                   {"text.lab.own", "text.lab.covers_own", Stack::decoder, read_before(scene.now, row)}, reach, hit);
    draw_all(below(scene, y), reach);
}

void occlusion_controls(const TextScene& scene) {
    choice(scene.ui, "text.lab.cover", word_cover_names, scene.look().lab.cover);
}

Table occlusion_table(const TextResult& now, const Selection& selection) {
    const TextOcclusion& map = shown(now, selection.focus.text);
    const TextTokens source = source_tokens(now, now.run), own = target_tokens(now, now.run);
    std::vector<std::string> rows, columns;
    for (const ReadWord& word : map.covered) {
        const bool encoder = word.stack == Stack::encoder;
        rows.push_back(std::string(name_in(stacks, word.stack)) + "." + std::to_string(word.place) + " " +
                       (encoder ? source : own).words[static_cast<std::size_t>(word.place)]);
    }
    for (std::size_t i = 0; i < now.measures.said.size(); ++i)
        columns.push_back(std::to_string(i) + " " + output_word(now, now.measures.said[i]));
    Table t = table_of("occlusion", std::move(rows), std::move(columns));
    t.values.assign(map.drop.begin(), map.drop.end());
    return t;
}

TextChapter occlusion_chapter(const TextResult&, const TextLook&) { return TextChapter::tokens; }

/// A row for each covered word, a column for each output word.
Comparison occlusion_compared(const TextPair& pair) {
    Comparison all;
    const Table own = occlusion_table(pair.a.now, pair.a.selection);
    TextTokens covered, said;
    covered.words = own.labels[0];
    said.words = own.labels[1];
    add_both(pair, all, compared_words(pair.ui, "difference.text_occlusion", covered, said),
             [&](const TextLooked& run) {
                 Table table = occlusion_table(run.now, run.selection);
                 return table.shape == own.shape ? std::move(table.values) : std::vector<float>();
             });
    return all;
}

}  // namespace

TextInstrumentRow text_occlusion_instrument() {
    return {.instrument = TextInstrument::occlusion,
            .view = occlusion_view,
            .narrow = true,
            .controls = occlusion_controls,
            .chapter = occlusion_chapter,
            .table = occlusion_table,
            .compared = occlusion_compared};
}

}  // namespace vitrine
