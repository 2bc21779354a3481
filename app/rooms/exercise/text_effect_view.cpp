#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/rooms/exercise/exercise_views.h"
#include "app/rooms/exercise/text_effect.h"
#include "app/rooms/figures/figures.h"
#include "app/rooms/text/text_scene.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/bars.h"
#include "app/ui/widgets/heatmap.h"
#include "app/ui/widgets/number.h"
#include "app/ui/widgets/rich_text.h"
#include "app/workspace/workspace.h"
#include "core/text/typed_words.h"

// Effect of a mistake on a text, next to the repaired code.

namespace vitrine {

namespace {

/// Inputs for drawing one side.
struct TextSide {
    const ExerciseFrame& e;
    const TextRuns& runs;
    const EffectSide& side;
    Canvas& canvas;

    const Ui& ui() const { return e.frame.ui; }
    const Theme& theme() const { return e.frame.ui.theme; }
    const TextResult& now() const { return runs.now; }
};

/// Draws the output as a sentence; returns its height with the gap below.
float draw_said(const TextSide& s) {
    const TextRun& run = s.side.broken ? s.now().run : s.now().plain;
    const std::string said = s.ui().text("exercise.writes", {{"text", join_words(run.output, s.now().model->to)}});
    const float height = rich_text(s.canvas, s.ui(), s.side.rect, {said, Font::body, s.theme().palette.text});
    s.ui().probe.mark(s.side.id + ".says", {s.side.rect.x0, s.side.rect.y0, s.side.rect.x1, s.side.rect.y0 + height},
                      static_cast<double>(run.output.size()), join_words(run.output, s.now().model->to));
    return height + s.theme().px(8);
}

TextTokens rows_of(const TextSide& s, const TextRun& run) {
    return s.runs.row.attention == TextAttention::encoder   ? source_tokens(s.now(), run)
           : s.runs.row.attention == TextAttention::decoder ? target_tokens(s.now(), run)
                                                            : produced_tokens(s.now(), run);
}

/// Draws a head's weights in an area too small for the columns' words; with the rows' words if they fit.
void draw_small_weights(const TextSide& s, Rect area, const AttentionMap& map, const TextTokens& queries) {
    const float line = s.canvas.measure("", Font::caption).y, row = area.height() / static_cast<float>(map.rows);
    const TextScene scene{s.ui(), s.e.frame, s.now(), s.canvas, area, s.e.frame.selection};
    const RowWords places = row_words(scene, queries.words, row);
    const bool named = row >= 0.4F * line;
    const HeatFigure figure{
        {map.weights.data(), map.rows, map.columns, {ColourMap::sequential, 0, 1, Curve::root}}, {}, {}, false};
    const Rect cells =
        heat_figure(s.canvas, s.ui(), {area.x0 + (named ? places.width : 0), area.y0, area.x1, area.y1}, figure);
    if (named) draw_row_words(scene, cells, {s.side.id + ".row", queries.words, places});
}

/// Draws a head's weights with the words of rows and columns, if these fit.
void draw_weights(const TextSide& s, Rect rect) {
    const TextRun run = s.runs.reading(s.side.broken);
    const AttentionMap map = s.runs.attention(run);
    const bool decoder = s.runs.row.attention == TextAttention::decoder;
    const TextTokens queries = rows_of(s, run), keys = decoder ? queries : source_tokens(s.now(), run);
    const float line = s.canvas.measure("", Font::caption).y;
    const std::string words =
        s.ui().text("exercise.text_weights." + std::string(name_of(s.runs.row.attention)),
                    {{"block", s.ui().ordinal(s.runs.block() - 1)}, {"head", s.ui().ordinal(s.runs.head())}});
    const RichText caption{words, Font::caption, s.theme().palette.muted};
    const float below = measure_rich(s.canvas, caption, rect.width()).y + s.theme().px(6);
    rich_text(s.canvas, s.ui(), {rect.x0, rect.y1 - below + s.theme().px(6), rect.x1, rect.y1}, caption);
    const Rect area{rect.x0, rect.y0, rect.x1, rect.y1 - below};
    const float needed = line * static_cast<float>(map.rows + 3) + s.theme().px(12);
    if (area.height() >= needed) {
        const TextScene scene{s.ui(), s.e.frame, s.now(), s.canvas, area, s.e.frame.selection};
        draw_matrix(scene, {s.side.id + ".cells", map, queries, keys});
    } else {
        draw_small_weights(s, area, map, queries);
    }
    s.ui().probe.mark(s.side.id, area, static_cast<double>(map.at(0, std::min(1, map.columns - 1))), words);
}

void draw_features(const TextSide& s, Rect rect) {
    const std::vector<float> broken = normalised_word(s.runs, true), repaired = normalised_word(s.runs, false);
    const float reach = std::max(reach_of(broken), reach_of(repaired));
    const std::vector<float>& values = s.side.broken ? broken : repaired;
    const TextTokens tokens = source_tokens(s.now(), s.now().plain);
    const std::string words =
        s.ui().text("exercise.text_features", {{"block", s.ui().ordinal(s.runs.block() - 1)},
                                               {"word", tokens.words[static_cast<std::size_t>(s.runs.token())]}});
    const RichText below{words + " · ±" + number_text(static_cast<double>(reach)), Font::caption,
                         s.theme().palette.muted};
    const float height = measure_rich(s.canvas, below, rect.width()).y;
    const Rect bars{rect.x0, rect.y0, rect.x1, rect.y1 - height - s.theme().px(4)};
    feature_bars(s.canvas, s.ui(), bars, {values, reach});
    rich_text(s.canvas, s.ui(), {bars.x0, bars.y1 + s.theme().px(4), bars.x1, rect.y1}, below);
    s.ui().probe.mark(s.side.id, bars, static_cast<double>(values.back()), words);
}

/// Draws the words with their probabilities, wrapped; words after [EOS] have the colour of a mistake.
void draw_written(const TextSide& s, Rect rect) {
    const float gap = s.theme().px(10), word = s.canvas.measure("", Font::body).y;
    const float line = word + s.canvas.measure("", Font::caption).y + s.theme().px(8);
    float x = rect.x0, y = rect.y0;
    bool ended = false;
    const auto words = written_words(*s.now().model, s.side.broken ? s.now().run : s.now().plain);
    for (const WrittenWord& w : words) {
        const std::string share = probability_text(w.probability);
        const float width = std::max(s.canvas.measure(w.word, Font::body).x, s.canvas.measure(share, Font::caption).x);
        if (x > rect.x0 && x + width > rect.x1) x = rect.x0, y += line;
        const Palette& p = s.theme().palette;
        const bool eos = w.word == special_words[eos_id];
        s.canvas.text({x, y}, w.word, {Font::body, ended ? p.danger : eos ? p.value : p.text, Align::left});
        s.canvas.text({x, y + word}, share, {Font::caption, p.muted, Align::left});
        ended = ended || eos;
        x += width + gap;
    }
    s.ui().probe.mark(s.side.id, {rect.x0, rect.y0, rect.x1, std::max(rect.y1, y + line)},
                      static_cast<double>(words.size()));
}

void draw_printed_weights(const TextSide& s) {
    const auto source = static_cast<int>(s.now().plain.trace.batch->source.ids.size());
    printed_lines(s.e, s.side, printed_weights(s.now().model->config, source, s.side.broken));
}

}  // namespace

const TextResult* text_result_of(const ExerciseFrame& e) {
    const TextResult* const now = e.frame.workspace.text_exercise.result.get();
    const auto wanted = text_to_repair(e.frame.workspace, e.frame.panel.settings);
    return now != nullptr && wanted && now->request == *wanted && !now->empty() ? now : nullptr;
}

void text_side(const ExerciseFrame& e, const TextResult& now, const EffectSide& side) {
    WindowCanvas canvas(ImGui::GetWindowDrawList(), e.frame.ui);
    const TextRuns runs{*e.row.text, now, e.frame.selection.focus};
    const TextSide s{e, runs, side, canvas};
    if (e.row.drawn == Drawn::printed) return draw_printed_weights(s);
    const bool writes_text = e.row.drawn != Drawn::features && e.row.drawn != Drawn::words;
    const Rect below{side.rect.x0, side.rect.y0 + (writes_text ? draw_said(s) : 0), side.rect.x1, side.rect.y1};
    if (e.row.drawn == Drawn::features) return draw_features(s, below);
    if (e.row.drawn == Drawn::words) return draw_written(s, below);
    draw_weights(s, below);
}

}  // namespace vitrine
