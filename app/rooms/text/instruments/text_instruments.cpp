#include <imgui.h>

#include <algorithm>
#include <cassert>
#include <cmath>

#include "app/rooms/figures/scene.h"
#include "app/rooms/text/chapter.h"
#include "app/rooms/text/instruments/text_instrument.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/heatmap.h"
#include "app/ui/widgets/hot_area.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "app/workspace/text_result.h"
#include "core/files/image.h"
#include "core/measures/text/text_heads.h"
#include "core/text/decoded_text.h"
#include "core/text/text_model.h"
#include "core/transformer/block_trace.h"

// The table of instruments and their shared helpers.

namespace vitrine {

const std::vector<TextInstrumentRow>& text_instruments() {
    static const std::vector<TextInstrumentRow> all = {
        // clang-format off
        text_heads_instrument(),
        text_statistics_instrument(),
        text_rollout_instrument(),
        text_lens_instrument(),
        text_ledger_instrument(),
        text_occlusion_instrument(),
        // clang-format on
    };
    return all;
}

const TextInstrumentRow& instrument_of(const TextLook& look) {
    const auto& all = text_instruments();
    const auto row = std::ranges::find(all, look.lab.instrument, &TextInstrumentRow::instrument);
    assert(row != all.end());
    return *row;
}

bool shows_measures(const TextLook& look) { return look.lab.open && instrument_of(look).measured; }

bool has_shown_measures(const TextResult& now, const TextLook& look) {
    return !shows_measures(look) || now.empty() || now.has_measures();
}

const std::string& instrument_text(const Ui& ui, TextInstrument instrument, const std::string& key) {
    return ui.text("text.lab." + std::string(name_of(instrument)) + "." + key);
}

TextAttention kind_in(const TextResult& now, const TextLook& look) {
    const std::vector<TextAttention> kinds = attentions_of(now.model->config);
    return std::ranges::find(kinds, look.lab.kind) == kinds.end() ? kinds.back() : look.lab.kind;
}

void kind_controls(const TextScene& scene) {
    const std::vector<TextAttention> kinds = attentions_of(scene.now.model->config);
    const TextAttention shown = kind_in(scene.now, scene.look());
    std::vector<Control> controls;
    int chosen = 0;
    for (const TextAttention kind : kinds) {
        const std::string id = "text.lab.kind." + std::string(name_of(kind));
        if (kind == shown) chosen = static_cast<int>(controls.size());
        controls.push_back({id, scene.ui.text(id), scene.ui.text(id + "_tip"), {}});
    }
    ImGui::SetCursorScreenPos({scene.area.x0, scene.area.y0});
    if (segmented(scene.ui, controls, chosen)) scene.look().lab.kind = kinds[static_cast<std::size_t>(chosen)];
}

TextChapter chapter_of_kind(const TextResult& now, TextAttention kind) {
    switch (kind) {
        case TextAttention::encoder:
            return now.model->config.has_decoder() ? TextChapter::self_attention : TextChapter::cls;
        case TextAttention::decoder:
            return now.model->config.has_encoder() ? TextChapter::masked_attention : TextChapter::gpt;
        case TextAttention::cross: return TextChapter::cross_attention;
    }
    return TextChapter::tokens;
}

void open_head(const TextDraft& draft, const TextResult& now, int block, int head) {
    draft.look.block = block;
    draft.look.head = head;
    draft.enter(chapter_of_kind(now, kind_in(now, draft.look)));
}

std::string text_head_name(const Ui& ui, int block, int head) {
    return ui.text("text.layer", {{"block", ui.ordinal(block - 1)}}) + " · " +
           ui.text("text.head", {{"head", ui.ordinal(head)}});
}

TextTokens speaking_tokens(const Ui& ui, const TextResult& now) {
    if (now.model->config.has_decoder()) {
        TextTokens tokens = produced_tokens(now, now.run);
        if (!now.run.decoded.ended) {  // no row reads the last prediction, so produced_tokens lacks it
            tokens.ids.back() = words_said(now.run).back();
            tokens.words.back() = output_name(ui, now, tokens.ids.back());
        }
        return tokens;
    }
    TextTokens tokens;
    for (const int label : words_said(now.run)) {
        tokens.words.push_back(output_name(ui, now, label));
        tokens.unknown.push_back(0);
        tokens.ids.push_back(static_cast<int>(special_words.size()));
    }
    return tokens;
}

int speaking_row(const TextResult& now, const Selection& selection) {
    return now.model->config.has_decoder() ? target_in_view(now, selection) : 0;
}

TextTokens read_before(const TextResult& now, int row) {
    TextTokens tokens = target_tokens(now, now.run);
    const auto t = attention_of(now.run, TextAttention::decoder, 1);
    std::size_t seen = tokens.words.size();
    while (t != nullptr && seen > 1 && std::isinf(t->scores(0, static_cast<std::size_t>(row), seen - 1))) --seen;
    tokens.words.resize(seen);
    tokens.unknown.resize(seen);
    tokens.ids.resize(seen);
    return tokens;
}

std::string output_word(const TextResult& now, int number) {
    const TextModel& model = *now.model;
    if (model.config.has_decoder()) return model.target.word(number);
    const auto label = static_cast<std::size_t>(number);
    return label < model.labels.size() ? model.labels[label] : std::to_string(number);
}

std::string output_name(const Ui& ui, const TextResult& now, int number) {
    const std::string word = output_word(now, number), key = "text.label." + word;
    return !now.model->config.has_decoder() && ui.text.has(key) ? ui.text(key) : word;
}

namespace {

/// A colour blended over `ground`, with alpha from 0 (the ground alone) to 1.
Color blended(Color ground, Color color, float alpha) {
    const auto part = [&](std::uint8_t below, std::uint8_t above) {
        return static_cast<std::uint8_t>(
            std::lround(static_cast<float>(below) * (1 - alpha) + static_cast<float>(above) * alpha));
    };
    return {part(ground.r, color.r), part(ground.g, color.g), part(ground.b, color.b)};
}

/// Text colour on a background: the palette's if its contrast is at least 4.5, else black or white.
Color readable_ink(const Palette& p, Color ground) {
    constexpr Color black{0, 0, 0}, white{255, 255, 255};
    if (contrast(p.text, ground) >= 4.5) return p.text;
    return contrast(black, ground) > contrast(white, ground) ? black : white;
}

}  // namespace

ValuedHit valued_words(const TextScene& scene, const ValuedWords& v) {
    const Palette& p = scene.palette();
    const float word_line = scene.canvas.measure("", Font::body).y, line = scene.canvas.measure("", Font::caption).y;
    const float gap = scene.px(8), height = word_line + line + scene.px(10), rounding = scene.px(6);
    float x = scene.area.x0, y = scene.area.y0;
    ValuedHit result;
    for (int i = 0; i < v.tokens.size(); ++i) {
        const auto at = static_cast<std::size_t>(i);
        const bool told = at < v.values.size() && v.values[at].has_value();
        const double value = told ? *v.values[at] : 0;
        const std::string& word = v.tokens.words[at];
        const std::string number = told ? v.number(value) : "";
        const float width =
            std::max(scene.canvas.measure(word, Font::body).x, scene.canvas.measure(number, Font::caption).x) +
            scene.px(16);
        if (x + width > scene.area.x1 && x > scene.area.x0) x = scene.area.x0, y += height + gap;
        const Rect rect{x, y, x + width, y + height};
        const Hit hit = hot_area(scene.ui, v.id + "." + std::to_string(i), rect, word);
        const bool chosen = i == v.chosen;
        const double strength = told && v.reach > 0 ? std::clamp(std::abs(value) / v.reach, 0.0, 1.0) : 0;
        const Color ground =
            blended(p.raised, value < 0 ? p.negative : p.positive, 0.75F * static_cast<float>(strength));
        scene.canvas.fill(rect, ground, rounding);
        const Color ink = readable_ink(p, ground);
        if (v.tokens.unknown[at] != 0) hatch(scene.canvas, rect, p.danger.with_alpha(0.5F), scene.px(7));
        if (chosen || hit.at) scene.canvas.stroke(rect, chosen ? v.color : p.accent, scene.px(2), rounding);
        scene.canvas.text({rect.centre().x, y + scene.px(3)}, word, {Font::body, told ? ink : p.muted, Align::centre});
        scene.canvas.text({rect.centre().x, y + scene.px(5) + word_line}, number, {Font::caption, ink, Align::centre});
        if (told) scene.ui.probe.mark(v.id + ".value." + std::to_string(i), rect, value, number);
        if (hit.at) result.words.hovered = i;
        if (hit.clicked) result.words.clicked = i;
        x += width + gap;
    }
    result.height = y + height - scene.area.y0;
    return result;
}

std::vector<WordCandidate> likely_outputs(const TextResult& now, const Tensor2& probabilities, int row, int count) {
    const float* const first = &probabilities(static_cast<std::size_t>(row), 0);
    std::vector<WordCandidate> all;
    for (int i = 0; i < static_cast<int>(probabilities.shape()[1]); ++i)
        if (!now.model->config.has_decoder() || i == eos_id || i >= static_cast<int>(special_words.size()))
            all.push_back({i, static_cast<double>(first[i])});
    std::ranges::stable_sort(all, std::ranges::greater(), &WordCandidate::probability);
    if (static_cast<int>(all.size()) > count) all.resize(static_cast<std::size_t>(count));
    return all;
}

TextScene below(const TextScene& scene, float height) {
    return scene.in({scene.area.x0, scene.area.y0 + height, scene.area.x1, scene.area.y1});
}

Table table_named(const std::string& instrument, const TextResult& now, const Selection& selection) {
    const auto wanted = value_in(text_instrument_names, instrument);
    const auto row =
        std::ranges::find_if(text_instruments(), [&](const TextInstrumentRow& r) { return r.instrument == wanted; });
    const bool there = row != text_instruments().end() && (!row->measured || now.has_measures());
    return there ? row->table(now, selection) : Table{};
}

Table shown_table(const TextResult& now, const Selection& selection) {
    const TextLook& look = selection.focus.text;
    if (look.lab.open) return table_named(name_of(look.lab.instrument), now, selection);
    Selection looked = selection;
    if (const auto kind = attention_of_chapter(look.chapter)) looked.focus.text.lab.kind = *kind;
    return table_named(name_of(TextInstrument::heads), now, looked);
}

Table table_of(const std::string& name, std::vector<std::string> rows, std::vector<std::string> columns) {
    return {name, {"row", "column"}, {rows.size(), columns.size()}, {}, {std::move(rows), std::move(columns)}};
}

}  // namespace vitrine
