#include "app/rooms/text/text_scene.h"

#include <algorithm>
#include <array>

#include "app/rooms/room.h"
#include "app/rooms/state.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "app/workspace/settings.h"
#include "app/workspace/text_look.h"
#include "app/workspace/text_result.h"
#include "core/measures/text/text_heads.h"
#include "core/text/decoded_text.h"
#include "core/text/decoding.h"
#include "core/text/grammar/english_glosses.h"
#include "core/text/text_config.h"
#include "core/text/text_kinds.h"
#include "core/text/vocabulary.h"
#include "core/training/head_tally.h"
#include "core/transformer/block_trace.h"

namespace vitrine {

TextLook& TextScene::look() const { return selection.focus.text; }
TextExperiment& TextScene::experiment() const { return frame.text_experiment; }
TextDraft TextScene::draft() const { return frame.text(); }
bool TextScene::projected() const { return frame.state().lecture.on; }

namespace {

/// The words of ids; an unknown word is shown as typed: ids[i] belongs to typed[i - offset].
TextTokens tokens_of(const std::vector<int>& ids, const Vocabulary& vocabulary, const std::vector<std::string>& typed,
                     int offset) {
    TextTokens tokens;
    tokens.ids = ids;
    for (std::size_t i = 0; i < ids.size(); ++i) {
        const int place = static_cast<int>(i) - offset;
        const bool unknown = ids[i] == unknown_id;
        const bool known_as = unknown && place >= 0 && place < static_cast<int>(typed.size());
        tokens.words.push_back(known_as ? typed[static_cast<std::size_t>(place)] : vocabulary.word(ids[i]));
        tokens.unknown.push_back(unknown ? 1 : 0);
    }
    return tokens;
}

/// Index of the step whose word has the smallest probability, because there the generator's choice is closest.
int least_sure_step(const DecodedText& decoded) {
    const auto least =
        std::ranges::min_element(decoded.steps, {}, [](const DecodingStep& s) { return s.taken.probability; });
    return least == decoded.steps.end() ? 0 : static_cast<int>(least - decoded.steps.begin());
}

bool is_language_model(const TextResult& now) { return now.model->config.shape == TextShape::language_model; }

}  // namespace

std::string gloss_of(const Frame& frame, const std::string& word) {
    const bool read = frame.state().settings.language == name_of(TextLanguage::japanese);
    return read ? std::string() : english_gloss(word);
}

std::string glossed(const Frame& frame, const std::string& word) {
    const std::string gloss = gloss_of(frame, word);
    return gloss.empty() ? word : word + " (" + gloss + ")";
}

TextTokens source_tokens(const TextResult& now, const TextRun& run) {
    if (!run.trace.encoder.embedding) return {};
    const int before = now.model->config.shape == TextShape::classifier ? 1 : 0;
    return tokens_of(run.trace.batch->source.ids, now.model->source, run.input, before);
}

TextTokens target_tokens(const TextResult& now, const TextRun& run) {
    if (!run.trace.decoder.embedding) return {};
    static const std::vector<std::string> none;
    return tokens_of(run.trace.batch->target.ids, now.model->target, is_language_model(now) ? run.input : none, 1);
}

TextTokens produced_tokens(const TextResult& now, const TextRun& run) {
    TextTokens tokens = target_tokens(now, run);
    if (tokens.size() == 0) return tokens;
    tokens.words.erase(tokens.words.begin());
    tokens.unknown.erase(tokens.unknown.begin());
    tokens.ids.erase(tokens.ids.begin());
    tokens.words.emplace_back(run.decoded.ended ? special_words[eos_id] : "…");
    tokens.unknown.push_back(0);
    tokens.ids.push_back(eos_id);
    return tokens;
}

TextSides sides_of(const TextResult& now, const TextRun& run, TextAttention kind) {
    switch (kind) {
        case TextAttention::encoder: return {source_tokens(now, run), source_tokens(now, run)};
        case TextAttention::decoder: return {produced_tokens(now, run), target_tokens(now, run)};
        case TextAttention::cross: return {produced_tokens(now, run), source_tokens(now, run)};
    }
    return {};
}

bool is_parking(const std::string& word) {
    static const std::array parking = {".", "。", "、", ",", "?", "[EOS]", "[BOS]", "[CLS]"};
    return std::ranges::find(parking, word) != parking.end();
}

int AttentionMap::best(int r) const {
    const auto weights_of = row(r);
    return static_cast<int>(std::ranges::max_element(weights_of) - weights_of.begin());
}

std::shared_ptr<const AttentionTrace> attention_of(const TextRun& run, TextAttention kind, int block) {
    return attention_of(run.trace, kind, block);
}

AttentionMap map_of(const AttentionTrace& t, int head) {
    const auto& shape = t.attention.shape();
    const auto heads = static_cast<int>(shape[0]);
    AttentionMap map{static_cast<int>(shape[1]), static_cast<int>(shape[2]), {}};
    const auto size = static_cast<std::size_t>(map.rows * map.columns);
    map.weights.assign(size, 0.0F);
    const bool one = head >= 0 && head < heads;
    const float share = one ? 1.0F : 1.0F / static_cast<float>(heads);
    for (int h = one ? head : 0; h < (one ? head + 1 : heads); ++h) {
        const float* const from = t.attention.data() + static_cast<std::size_t>(h) * size;
        for (std::size_t i = 0; i < size; ++i) map.weights[i] += share * from[i];
    }
    return map;
}

bool is_idle(const AttentionTrace& t, int head) {
    const auto all_zero = [](const float* numbers, std::size_t count) {
        return std::all_of(numbers, numbers + count, [](float x) { return x == 0.0F; });
    };
    const auto heads = static_cast<int>(t.heads.shape()[0]);
    const std::size_t size = t.heads.shape()[1] * t.heads.shape()[2];
    const bool one = head >= 0 && head < heads;
    return all_zero(t.msa.data(), t.msa.size()) ||
           all_zero(t.heads.data() + (one ? static_cast<std::size_t>(head) * size : 0), one ? size : t.heads.size());
}

int block_in(const TextResult& now, TextAttention kind, const TextLook& look) {
    const TextConfig& config = now.model->config;
    const int blocks = blocks_of(config, kind);
    if (look.block > 0 && look.block <= blocks) return look.block;
    if (now.deciding_head) return std::min(now.deciding_head->block, blocks);
    const TalliedHead& induction = now.induction_head;
    return induction.count > 0 && !config.has_cross() ? std::min(induction.block, blocks) : blocks;
}

int head_in(const TextResult& now, const TextLook& look) {
    const int head = look.head < now.model->config.heads ? look.head : -1;
    return look.chapter == TextChapter::mask ? std::max(head, 0) : head;
}

int source_in_view(const TextResult& now, const Selection& selection) {
    const TextTokens tokens = source_tokens(now, now.run);
    const int wanted = selection.hovered_source().value_or(selection.focus.text.source);
    if (wanted >= 0) return std::clamp(wanted, 0, std::max(0, tokens.size() - 1));
    if (now.model->config.shape == TextShape::classifier) return 0;  // [CLS]
    const auto it = std::ranges::find(tokens.words, "it");
    return it == tokens.words.end() ? 0 : static_cast<int>(it - tokens.words.begin());
}

int target_in_view(const TextResult& now, const Selection& selection) {
    const int count = produced_tokens(now, now.run).size();
    const int prompt = is_language_model(now) ? static_cast<int>(now.words.size()) : 0;
    const int wanted = selection.hovered_target().value_or(selection.focus.text.target);
    const TextChapter chapter = selection.focus.text.chapter;
    int first = prompt;
    if (chapter == TextChapter::generator && is_language_model(now)) first += least_sure_step(now.run.decoded);
    if (chapter == TextChapter::mask && count > 2)  // the first row sees itself alone, from the last nothing is hidden
        first = std::clamp(prompt > 0 ? prompt : count / 2, 1, count - 2);
    return std::clamp(wanted >= 0 ? wanted : first, 0, std::max(0, count - 1));
}

std::vector<float> numbers_of(const Tensor2& tensor, int row) {
    const float* const first = tensor.data() + static_cast<std::size_t>(row) * tensor.shape()[1];
    return {first, first + tensor.shape()[1]};
}

std::string in_quotes(const std::string& word) { return "“" + word + "”"; }

}  // namespace vitrine
