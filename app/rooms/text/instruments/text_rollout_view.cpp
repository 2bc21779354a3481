#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/rooms/text/instruments/text_instrument.h"
#include "app/rooms/text/text_difference.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/number.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "app/workspace/text_look.h"
#include "app/workspace/text_result.h"
#include "core/measures/analysis.h"
#include "core/measures/text/text_rollout.h"
#include "core/transformer/intervention.h"

// Attention rollout: shares of the input words in a row.

namespace vitrine {

namespace {

/// True if the encoder's rollout is shown: if chosen, or the only one.
bool shows_encoder(const TextResult& now, const TextLook& look) { return kind_in(now, look) == TextAttention::encoder; }

int blocks_shown(const TextResult& now, const TextLook& look) {
    return shows_encoder(now, look) ? now.model->config.blocks : now.model->config.decoder_blocks;
}

int level_shown(const TextResult& now, const TextLook& look) {
    const int blocks = blocks_shown(now, look);
    return look.lab.level > 0 ? std::min(look.lab.level, blocks) : blocks;
}

void level_controls(const TextScene& scene) {
    std::vector<Control> controls;
    const int blocks = blocks_shown(scene.now, scene.look());
    for (int block = 1; block <= blocks; ++block)
        controls.push_back({"text.lab.level." + std::to_string(block),
                            scene.ui.text("text.lab.after_layer", {{"block", scene.ui.ordinal(block - 1)}}),
                            scene.ui.text("text.lab.level_tip"),
                            {}});
    int chosen = level_shown(scene.now, scene.look()) - 1;
    if (scene.now.model->config.has_cross()) ImGui::SameLine(0, scene.px(18));
    if (segmented(scene.ui, controls, chosen)) scene.look().lab.level = chosen + 1 == blocks ? 0 : chosen + 1;
}

/// Choice of encoder or decoder, if there are both; the decoder's rollout continues through cross-attention.
void stack_controls(const TextScene& scene) {
    ImGui::SetCursorScreenPos({scene.area.x0, scene.area.y0});
    if (!scene.now.model->config.has_cross()) return;
    const Control stacks[] = {{"text.lab.stack.encoder", scene.ui.text("text.lab.stack.encoder"), {}, {}},
                              {"text.lab.stack.decoder", scene.ui.text("text.lab.stack.decoder"), {}, {}}};
    int chosen = shows_encoder(scene.now, scene.look()) ? 0 : 1;
    if (segmented(scene.ui, stacks, chosen))
        scene.look().lab.kind = chosen == 0 ? TextAttention::encoder : TextAttention::cross;
}

std::vector<std::optional<double>> row_of(const Tensor2& m, int row) {
    const float* const first = &m(static_cast<std::size_t>(row), 0);
    return {first, first + m.shape()[1]};
}
double largest(const std::vector<std::optional<double>>& values) {
    double most = 0;
    for (const auto& v : values) most = std::max(most, v.value_or(0));
    return most;
}
double sum_of(const std::vector<std::optional<double>>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0,
                           [](double s, const auto& v) { return s + v.value_or(0); });
}

/// A sum of shares in per cent: exactly 100 % for a sum within 1e-5 of 1.
std::string share_text(double sum) { return percent_text(std::abs(sum - 1) < 1e-5 ? 1 : sum); }

/// A group of words with its title and its share of the total.
float draw_part(const TextScene& scene, const std::string& title, const ValuedWords& words, WordHit& hit) {
    const std::string said = scene.ui.text(title, {{"share", share_text(sum_of(words.values))}});
    const float line = text_caption(scene, {scene.area.x0, scene.area.y0}, said, scene.palette().muted) + scene.px(4);
    const ValuedHit drawn = valued_words(below(scene, line), words);
    hit = drawn.words;
    return line + drawn.height + scene.px(20);
}

/// Draws all rows at once, if they fit; a click chooses one.
void draw_all_rows(const TextScene& scene, const TextTokens& rows, const Table& shares, int& chosen) {
    const float line = scene.canvas.measure("", Font::caption).y;
    if (scene.area.height() < line * static_cast<float>(rows.size() + 4)) return;
    TextTokens columns;
    columns.words = shares.labels[1];
    const AttentionMap map{rows.size(), columns.size(), shares.values};
    WordMatrix matrix{"text.lab.rows", map, rows, columns, chosen, -1};
    matrix.scale.high = *std::ranges::max_element(shares.values);
    const MatrixHit hit = draw_matrix(scene, matrix);
    if (hit.clicked) chosen = hit.query;
}

float draw_encoder(const TextScene& scene) {
    const TextTokens words = source_tokens(scene.now, scene.now.run);
    const int row = source_in_view(scene.now, scene.selection);
    const auto level = static_cast<std::size_t>(level_shown(scene.now, scene.look()) - 1);
    const auto values = row_of(scene.now.measures.rollout.encoder[level], row);
    WordHit hit;
    const float height =
        draw_part(scene, "text.lab.from_source",
                  {"text.lab.source", words, values, largest(values), percent_text, row, scene.palette().key}, hit);
    if (hit.clicked >= 0) scene.look().source = hit.clicked;
    return height;
}

float draw_decoder(const TextScene& scene) {
    const TextRollout& r = scene.now.measures.rollout;
    const int row = target_in_view(scene.now, scene.selection);
    const auto level = static_cast<std::size_t>(level_shown(scene.now, scene.look()) - 1);
    const auto own = row_of(r.own[level], row);
    std::vector<std::optional<double>> source;
    if (!r.source.empty()) source = row_of(r.source[level], row);
    const double reach = std::max(largest(own), largest(source));
    WordHit hit;
    float y = 0;
    if (!source.empty())
        y = draw_part(scene, "text.lab.from_source",
                      {"text.lab.source", source_tokens(scene.now, scene.now.run), source, reach, percent_text, -1, {}},
                      hit);
    if (hit.hovered >= 0) scene.selection.hover_source(hit.hovered);
    return y + draw_part(
                   below(scene, y), "text.lab.from_own",
                   {"text.lab.own", read_before(scene.now, row), own, reach, percent_text, row, scene.palette().query},
                   hit);
}

Table rollout_table(const TextResult& now, const Selection& selection) {
    const TextLook& look = selection.focus.text;
    const auto level = static_cast<std::size_t>(level_shown(now, look) - 1);
    const TextRollout& r = now.measures.rollout;
    std::vector<std::string> columns = source_tokens(now, now.run).words;
    const auto append = [](Table& t, const Tensor2& m, std::size_t row) {
        t.values.insert(t.values.end(), &m(row, 0), &m(row, 0) + m.shape()[1]);
    };
    if (shows_encoder(now, look)) {
        Table t = table_of("rollout", columns, columns);
        for (std::size_t row = 0; row < columns.size(); ++row) append(t, r.encoder[level], row);
        return t;
    }
    const TextTokens read = target_tokens(now, now.run), said = produced_tokens(now, now.run);
    columns.insert(columns.end(), read.words.begin(), read.words.end());
    Table t = table_of("rollout", said.words, std::move(columns));
    for (std::size_t row = 0; row < said.words.size(); ++row) {
        if (!r.source.empty()) append(t, r.source[level], row);
        append(t, r.own[level], row);
    }
    return t;
}

void rollout_view(const TextScene& scene) {
    stack_controls(scene);
    level_controls(scene);
    const bool encoder = shows_encoder(scene.now, scene.look());
    const TextScene figure = below(scene, scene.px(56));
    const int row = encoder ? source_in_view(scene.now, scene.selection) : target_in_view(scene.now, scene.selection);
    const TextTokens tokens = encoder ? source_tokens(scene.now, scene.now.run) : speaking_tokens(scene.ui, scene.now);
    const std::string& word = tokens.words[static_cast<std::size_t>(row)];
    scene.canvas.text(
        {figure.area.x0, figure.area.y0},
        scene.ui.text(encoder ? "text.lab.rollout.of" : "text.lab.rollout.of_said", {{"word", in_quotes(word)}}),
        {Font::strong, scene.palette().text, Align::left});
    scene.ui.probe.mark("text.lab.rollout", figure.area, row, word);
    const TextScene words = below(figure, scene.canvas.measure("", Font::strong).y + scene.px(18));
    const float height = encoder ? draw_encoder(words) : draw_decoder(words);
    int chosen = row;
    draw_all_rows(below(words, height), tokens, rollout_table(scene.now, scene.selection), chosen);
    if (chosen != row) (encoder ? scene.look().source : scene.look().target) = chosen;
}

TextChapter rollout_chapter(const TextResult& now, const TextLook& look) {
    return chapter_of_kind(now, kind_in(now, look));
}

Comparison rollout_compared(const TextPair& pair) {
    Comparison all;
    const Table own = rollout_table(pair.a.now, pair.a.selection);
    TextTokens rows, columns;
    rows.words = own.labels[0];
    columns.words = own.labels[1];
    add_both(pair, all, compared_words(pair.ui, "difference.text_rollout", rows, columns), [&](const TextLooked& run) {
        Table table = rollout_table(run.now, run.selection);
        return table.shape == own.shape ? std::move(table.values) : std::vector<float>();
    });
    return all;
}

}  // namespace

TextInstrumentRow text_rollout_instrument() {
    return {.instrument = TextInstrument::rollout,
            .view = rollout_view,
            .chapter = rollout_chapter,
            .table = rollout_table,
            .compared = rollout_compared};
}

}  // namespace vitrine
