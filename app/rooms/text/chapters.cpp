#include <imgui.h>

#include <algorithm>
#include <span>

#include "app/platform/imgui_compat.h"
#include "app/rooms/figures/scene.h"
#include "app/rooms/text/chapter.h"
#include "app/rooms/text/text_scene.h"
#include "app/ui/text.h"
#include "app/ui/widgets/number.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "app/workspace/text_result.h"
#include "core/text/decoded_text.h"
#include "core/text/text_config.h"
#include "core/text/text_model.h"
#include "core/text/text_what_ifs.h"
#include "core/transformer/equations.h"

namespace vitrine {

namespace {

bool is_norm(std::string_view word) { return word.ends_with("-norm"); }
/// True if two what-ifs exclude each other, so that switching one on removes the other.
bool replaces(std::string_view one, std::string_view other) {
    const auto both = [&](std::string_view start) { return one.starts_with(start) && other.starts_with(start); };
    const auto masks = [](std::string_view w) { return w == "no-mask" || w == "mask-off-by-one"; };
    return (is_norm(one) && is_norm(other)) || both("only:") || both("temperature:") || (masks(one) && masks(other));
}

/// Names of the what-ifs that make a chapter's equation wrong and for which it has no variant.
std::vector<std::string_view> unshown_changes(TextChapter chapter) {
    switch (chapter) {
        case TextChapter::embedding:
        case TextChapter::cls:
        case TextChapter::patches: return {"no-root", "no-positions"};
        case TextChapter::self_attention:
        case TextChapter::mask: return {"no-scale", "temperature", "k=q"};
        case TextChapter::masked_attention: return {"no-mask", "mask-off-by-one", "no-scale", "temperature", "k=q"};
        case TextChapter::cross_attention: return {"no-scale", "temperature"};
        default: return {};
    }
}

}  // namespace

const TextLook& TextTold::look() const { return selection.focus.text; }

const std::vector<TextChapterRow>& text_chapters() {
    static const std::vector<TextChapterRow> all = {
        // clang-format off
        tokens_chapter(),
        embedding_chapter(),
        encoder_chapter(),
        self_attention_chapter(),
        mask_chapter(),
        masked_attention_chapter(),
        cross_attention_chapter(),
        generator_chapter(),
        loss_chapter(),
        decoding_chapter(),
        cls_chapter(),
        gpt_chapter(),
        patches_chapter(),
        after_chapter(),
        // clang-format on
    };
    return all;
}

std::string mask_aspect(const TextExperiment& experiment) {
    return is_on(experiment, "no-mask") ? "open" : is_on(experiment, "mask-off-by-one") ? "late" : "";
}

const TextChapterRow& chapter_of(const TextLook& look) {
    return text_chapters()[static_cast<std::size_t>(place_of(look.chapter))];
}

std::string sentence_key(const TextChapterRow& row, const TextExperiment& experiment) {
    const std::string aspect = row.own.aspect == nullptr ? "" : row.own.aspect(experiment);
    return key_of(row, aspect.empty() ? "sentence" : "sentence_" + aspect);
}

Formula formula_of(const TextTold& told) {
    const TextChapterRow& row = chapter_of(told.look());
    const std::string id = row.equation != nullptr ? row.equation(told) : "text_" + std::string(row.id);
    return {id, equation_words(told.ui.text, id, key_of(row, "equation"))};
}

std::vector<Fact> row_facts(const TextTold& told, int block) {
    const Ui& ui = told.ui;
    const auto t = attention_of(told.now.run, TextAttention::decoder, block);
    if (t == nullptr) return {};
    if (is_idle(*t, told.look().head)) return {{ui.text("text.fact.looks"), ui.text("text.fact.nothing_comes"), {}}};
    const TextTokens queries = produced_tokens(told.now, told.now.run), keys = target_tokens(told.now, told.now.run);
    const AttentionMap map = map_of(*t, told.look().head);
    const int row = std::min(target_in_view(told.now, told.selection), map.rows - 1), best = map.best(row);
    return {{ui.text("text.fact.producing"), queries.words[static_cast<std::size_t>(row)], {}},
            {ui.text("text.fact.reads"), keys.words[static_cast<std::size_t>(row)], {}},
            {ui.text("text.fact.looks_at"), keys.words[static_cast<std::size_t>(best)], {}},
            number_fact(ui.text("text.fact.weight"), static_cast<double>(map.at(row, best)))};
}

std::string words_of_changed_equation(const TextTold& told) {
    const std::vector<std::string_view> unshown = unshown_changes(told.look().chapter);
    std::string names;
    for (const std::string& word : told.now.request.what_ifs)
        if (const auto known = known_text_what_if(word);
            known && std::ranges::find(unshown, std::string_view(known->row->name)) != unshown.end() &&
            !text_interventions(std::span(&word, 1), told.now.model->config).empty())
            names += (names.empty() ? "" : ", ") + what_if_name(told.ui, word);
    return names.empty() ? names : told.ui.text("equation.changed", {{"changes", names}});
}

Norm norm_in_view(const TextResult& now, const TextExperiment& experiment) {
    const TextConfig& c = now.model->config;
    return equations_of(c, text_interventions(experiment.what_ifs, c)).norm;
}

std::string ending_of(Norm norm) { return norm == Norm::after ? "" : norm == Norm::before ? "_pre" : "_none"; }

std::string chapter_answer(const TextTold& told) {
    const TextChapterRow& row = chapter_of(told.look());
    return row.answer != nullptr && !told.now.empty() ? row.answer(told) : told.ui.text(key_of(row, "answer"));
}

std::optional<TextAttention> attention_of_chapter(TextChapter chapter) {
    switch (chapter) {
        case TextChapter::encoder:
        case TextChapter::self_attention:
        case TextChapter::cls: return TextAttention::encoder;
        case TextChapter::mask:
        case TextChapter::masked_attention:
        case TextChapter::gpt: return TextAttention::decoder;
        case TextChapter::cross_attention: return TextAttention::cross;
        default: return std::nullopt;
    }
}

bool is_on(const TextExperiment& experiment, std::string_view word) {
    return std::ranges::find(experiment.what_ifs, word) != experiment.what_ifs.end();
}

void switch_what_if(TextExperiment& experiment, const std::string& word) {
    if (is_on(experiment, word)) {
        std::erase(experiment.what_ifs, word);
        return;
    }
    std::erase_if(experiment.what_ifs, [&](const std::string& other) { return replaces(word, other); });
    experiment.what_ifs.push_back(word);
}

std::string what_if_name(const Ui& ui, const std::string& word) {
    const std::optional<KnownWhatIf> known = known_text_what_if(word);
    if (!known) return word;
    const Where& where = known->value.where;
    const float number = known->value.number;
    return ui.text("text.what_if." + std::string(known->row->name),
                   {{"part", ui.text("text.part." + std::string(name_of(attention_at(where))))},
                    {"block", ui.ordinal(where.block.value_or(1) - 1)},
                    {"head", ui.ordinal(where.head.value_or(0))},
                    {"value", number_text(static_cast<double>(number))}});
}

std::vector<std::string> text_changes(const Ui& ui, const TextExperiment& experiment) {
    std::vector<std::string> names;
    for (const std::string& word : experiment.what_ifs) names.push_back(what_if_name(ui, word));
    if (experiment.swap.place >= 0) names.push_back(ui.text("text.swapped", {{"word", experiment.swap.word}}));
    if (!experiment.forced.empty()) names.push_back(ui.text("text.taken", {{"word", experiment.forced.back()}}));
    return names;
}

const DecodingStep* step_of_row(const TextResult& now, int row) {
    const int first = now.model->config.shape == TextShape::language_model ? static_cast<int>(now.words.size()) : 0;
    const int step = row - first;
    const auto& steps = now.run.decoded.steps;
    return step >= 0 && step < static_cast<int>(steps.size()) ? &steps[static_cast<std::size_t>(step)] : nullptr;
}

void take_word(const TextScene& scene, int row, int word) {
    const TextModel& model = *scene.now.model;
    const int first = model.config.shape == TextShape::language_model ? static_cast<int>(scene.now.words.size()) : 0;
    if (row < first) return;
    std::vector<std::string> forced;
    for (int i = 0; i < row - first && i < static_cast<int>(scene.now.run.decoded.words.size()); ++i)
        forced.push_back(model.target.word(scene.now.run.decoded.words[static_cast<std::size_t>(i)]));
    forced.push_back(model.target.word(word));
    scene.experiment().forced = std::move(forced);
    scene.look().target = row;
}

bool stage_slider(const TextScene& scene, const StageSlider& s, float& value) {
    ImGui::SetCursorScreenPos({scene.area.x0, scene.area.y0});
    begin_child({s.id, scene.area.width(), scene.area.height(), false, false, ImGuiWindowFlags_NoScrollbar});
    const std::string tip = std::string(s.id) + "_tip";
    const bool changed = slider(scene.ui, {s.id, scene.ui.text(s.id), scene.ui.text(tip), {}}, s.range, value);
    ImGui::EndChild();
    return changed;
}

std::vector<Fact> model_facts(const TextTold& told) {
    const TextConfig& c = told.now.model->config;
    const Text& text = told.ui.text;
    std::vector<Fact> facts = {
        {"D", count_text(c.embedding_dim), {}}, {"h", count_text(c.heads), {}}, {"d", count_text(c.head_dim()), {}}};
    if (c.has_encoder()) facts.push_back({text("text.fact.encoder_blocks"), count_text(c.blocks), {}});
    if (c.has_decoder()) facts.push_back({text("text.fact.decoder_blocks"), count_text(c.decoder_blocks), {}});
    return facts;
}

}  // namespace vitrine
