#include <imgui.h>

#include <algorithm>

#include "app/platform/imgui_compat.h"
#include "app/rooms/figures/scene.h"
#include "app/rooms/text/chapter.h"
#include "app/rooms/text/text_scene.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/hot_area.h"
#include "app/ui/widgets/number.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "app/workspace/text_result.h"
#include "core/text/text_model.h"
#include "core/text/text_samples.h"
#include "core/text/typed_words.h"

// From words to numbers: vocabulary, special words, and padding of a batch.

namespace vitrine {

namespace text_tokens_parts {

/// The input words: the encoder's, or the decoder's in a model without one.
TextTokens read_tokens(const TextResult& now) {
    const TextTokens source = source_tokens(now, now.run);
    return source.size() > 0 ? source : target_tokens(now, now.plain);
}

const Vocabulary& vocabulary_of(const TextResult& now) {
    return now.model->config.has_encoder() ? now.model->source : now.model->target;
}

/// The hovered row, else the chosen one, else the first: of the encoder, or of the decoder in a model without one.
int row_in_view(const TextScene& scene, const TextTokens& tokens) {
    if (scene.now.model->config.has_encoder()) return source_in_view(scene.now, scene.selection);
    const int row = scene.selection.hovered_target().value_or(scene.look().target);
    return std::clamp(row, 0, std::max(0, tokens.size() - 1));
}

void take_hit(const TextScene& scene, const WordHit& hit) {
    const bool encoder = scene.now.model->config.has_encoder();
    if (hit.hovered >= 0)
        encoder ? scene.selection.hover_source(hit.hovered) : scene.selection.hover_target(hit.hovered);
    if (hit.clicked >= 0) (encoder ? scene.look().source : scene.look().target) = hit.clicked;
}

/// Draws words as chips with their ids below; returns the height.
float draw_ids(const TextScene& scene, const TextTokens& tokens) {
    const float line = scene.canvas.measure("", Font::caption).y;
    const WordPlaces places = place_words(scene, scene.area, tokens.words);
    const int chosen = row_in_view(scene, tokens);
    take_hit(scene, draw_words(scene, {"text.word", tokens, places, scene.palette().query, chosen, -1, {}}));
    const float y = scene.area.y0 + places.height + scene.px(8);
    for (std::size_t i = 0; i < places.rects.size(); ++i) {
        const int level = static_cast<int>(i) % places.levels;
        const float x = places.rects[i].centre().x, top = y + line * static_cast<float>(level);
        scene.canvas.line({x, places.rects[i].y1}, {x, top}, scene.palette().line, scene.px(1));
        scene.canvas.text({x, top}, std::to_string(tokens.ids[i]),
                          {Font::mono, static_cast<int>(i) == chosen ? scene.palette().query : scene.palette().accent,
                           Align::centre});
        if (static_cast<int>(i) == chosen)
            scene.ui.probe.mark("text.id", {places.rects[i].x0, top, places.rects[i].x1, top + line}, chosen,
                                tokens.words[i]);
    }
    return places.height + scene.px(8) + line * static_cast<float>(places.levels) + scene.px(6);
}

/// Draws this text and two samples as a batch, the shorter ones padded with [PAD]; returns the height.
float draw_batch(const TextScene& scene) {
    const TextModel& model = *scene.now.model;
    const TextLanguage language = source_language(model.task, model.to);
    std::vector<std::vector<std::string>> rows = {read_tokens(scene.now).words};
    for (const TextSample& sample : text_samples(model.task, model.to)) {
        if (rows.size() == 3) break;
        std::vector<std::string> words = split_words(sample.source, language, vocabulary_of(scene.now));
        if (model.task != TextTask::story) words = as_sentence(std::move(words), language);
        if (model.task == TextTask::translate)
            words.emplace_back(special_words[eos_id]);
        else
            words.insert(words.begin(), special_words[model.task == TextTask::story ? bos_id : cls_id]);
        if (words != rows.front()) rows.push_back(std::move(words));
    }
    std::size_t longest = 1;
    for (const auto& row : rows) longest = std::max(longest, row.size());
    const float gap = scene.px(3), height = scene.px(22), line = scene.canvas.measure("", Font::caption).y;
    const float cell = std::min(scene.px(52), scene.area.width() / static_cast<float>(longest) - gap);
    text_caption(scene, {scene.area.x0, scene.area.y0}, scene.ui.text("text.tokens.batch"), scene.palette().muted);
    for (std::size_t r = 0; r < rows.size(); ++r)
        for (std::size_t i = 0; i < longest; ++i) {
            const bool pad = i >= rows[r].size();
            const float x = scene.area.x0 + (cell + gap) * static_cast<float>(i),
                        y = scene.area.y0 + line + scene.px(4) + (height + gap) * static_cast<float>(r);
            const Rect box{x, y, x + cell, y + height};
            scene.canvas.fill(box, scene.palette().raised, scene.px(3));
            if (pad) hatch(scene.canvas, box, scene.palette().muted, scene.px(6));
            const int id = pad ? pad_id : vocabulary_of(scene.now).id(rows[r][i]);
            if (!pad)
                scene.canvas.text({box.centre().x, box.centre().y - line / 2},
                                  std::to_string(id == unknown_id && rows[r][i].starts_with("[")
                                                     ? static_cast<int>(std::ranges::find(special_words, rows[r][i]) -
                                                                        special_words.begin())
                                                     : id),
                                  {Font::caption, scene.palette().text, Align::centre});
        }
    const float high = line + scene.px(4) + (height + gap) * static_cast<float>(rows.size());
    scene.ui.probe.mark("text.batch", {scene.area.x0, scene.area.y0, scene.area.x1, scene.area.y0 + high},
                        static_cast<double>(longest));
    return high;
}

/// All words of the vocabulary; a click appends one to the text.
void draw_vocabulary(const TextScene& scene, const TextTokens& tokens) {
    const Vocabulary& vocabulary = vocabulary_of(scene.now);
    const Palette& p = scene.palette();
    ImGui::SetCursorScreenPos({scene.area.x0, scene.area.y0});
    begin_child({"text.vocabulary", scene.area.width(), scene.area.height(), false, false, 0});
    WindowCanvas canvas(ImGui::GetWindowDrawList(), scene.ui);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float right = at.x + ImGui::GetContentRegionAvail().x;
    float all = 0;
    for (const std::string& word : vocabulary.words()) all += canvas.measure(word, Font::body).x + scene.px(20);
    const float body_line = canvas.measure("", Font::body).y + scene.px(8);
    const bool roomy = (all / (right - at.x) + 2) * body_line < scene.area.height();
    const Font font = roomy ? Font::body : Font::caption;
    const float line = roomy ? body_line : std::max(scene.px(26), canvas.measure("", Font::caption).y + scene.px(6));
    float x = at.x, y = at.y;
    for (int id = 0; id < vocabulary.size(); ++id) {
        const std::string& word = vocabulary.word(id);
        const float width = canvas.measure(word, font).x + scene.px(14);
        if (x + width > right) x = at.x, y += line;
        const Rect rect{x, y, x + width, y + line - scene.px(4)};
        const bool used = std::ranges::find(tokens.ids, id) != tokens.ids.end();
        const bool special = id < static_cast<int>(special_words.size());
        const Hit hit = hot_area(scene.ui, "text.known." + std::to_string(id), rect, word);
        tooltip(scene.ui, scene.ui.text(special ? "text.special_tip" : "text.known_tip",
                                        {{"word", glossed(scene.frame, word)}, {"id", std::to_string(id)}}));
        if (used) canvas.fill(rect, p.accent.with_alpha(0.30F), scene.px(4));
        if (hit.at) canvas.stroke(rect, p.accent, scene.px(1), scene.px(4));
        canvas.text({rect.centre().x, rect.y0 + scene.px(1)}, word,
                    {font, special && !used ? p.muted : p.text, Align::centre});
        if (hit.clicked && !special) {
            const TextLanguage language = source_language(scene.now.model->task, scene.now.model->to);
            std::vector<std::string> words = scene.now.words;
            if (!words.empty() && is_parking(words.back())) words.pop_back();
            words.push_back(word);
            scene.draft().read(join_words(words, language));
        }
        x += width + scene.px(4);
    }
    ImGui::SetCursorScreenPos({at.x, y + line});
    ImGui::Dummy({1, 1});
    ImGui::EndChild();
}

void view(const TextScene& scene) {
    const TextTokens tokens = read_tokens(scene.now);
    Rect rest = scene.area;
    rest.y0 += draw_ids(scene, tokens) + scene.px(10);
    rest.y0 += draw_batch(scene.in(rest)) + scene.px(12);
    const float line = scene.canvas.measure("", Font::caption).y;
    text_caption(scene, {rest.x0, rest.y0},
                 scene.ui.text("text.tokens.vocabulary", {{"count", count_text(vocabulary_of(scene.now).size())}}),
                 scene.palette().muted);
    rest.y0 += line + scene.px(6);
    draw_vocabulary(scene.in(rest), tokens);
}

std::vector<Fact> facts(const TextTold& told) {
    const TextTokens tokens = read_tokens(told.now);
    const auto unknown = std::ranges::count(tokens.unknown, 1);
    return {{told.ui.text("text.fact.words"), count_text(tokens.size()), {}},
            {told.ui.text("text.fact.unknown"), count_text(unknown), {}},
            {"V", count_text(vocabulary_of(told.now).size()), {}},
            {told.ui.text("text.fact.longest"), count_text(told.now.model->config.longest), {}}};
}

/// The equation of the model's input: a text followed by [EOS], or preceded by [CLS] or [BOS].
std::string equation(const TextTold& told) {
    const TextConfig& c = told.now.model->config;
    return !c.has_decoder() ? "text_tokens_cls" : !c.has_encoder() ? "text_tokens_gpt" : "text_tokens";
}

bool answered(const TextTried& tried) { return std::ranges::count(read_tokens(tried.now).unknown, 1) > 0; }

}  // namespace text_tokens_parts

TextChapterRow tokens_chapter() {
    return {.id = name_of(TextChapter::tokens),
            .own = {.view = text_tokens_parts::view},
            .facts = text_tokens_parts::facts,
            .answered = text_tokens_parts::answered,
            .equation = text_tokens_parts::equation};
}

}  // namespace vitrine
