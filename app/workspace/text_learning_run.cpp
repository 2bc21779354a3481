#include "app/workspace/text_learning_run.h"

#include <algorithm>

#include "core/text/decoding.h"
#include "core/text/typed_words.h"
#include "core/training/head_tally.h"

namespace vitrine {

namespace {

constexpr int most_said = 8;  // most words of a story's continuation

/// A story's words up to the end of its sentence.
std::vector<std::string> to_full_stop(std::vector<std::string> words) {
    const auto stop = std::ranges::find(words, ".");
    if (stop != words.end()) words.erase(stop + 1, words.end());
    return words;
}

std::vector<int> one_head(const TalliedHead& head, int heads) { return {std::clamp(head.head, 0, heads - 1)}; }

/// The block of a stack that contains the head; clamped to the stack's blocks, since the head may be another model's.
template <class Stack>
auto block_of(const TalliedHead& head, const Stack& stack) {
    return stack.block(std::clamp(head.block, 1, stack.blocks()));
}

/// Appends attention rows of one head, or of the mean over heads if `of_heads` is empty, truncated to the keys.
void append_rows(SaidText& said, const Tensor3& attention, int heads, std::span<const std::size_t> rows,
                 const std::vector<int>& of_heads) {
    for (const std::size_t row : rows) {
        std::vector<float> weights;
        if (of_heads.empty()) {
            weights = mean_of_heads(attention, heads, 0, row);
        } else {
            const auto own = attention_row(attention, static_cast<std::size_t>(of_heads.front()), row);
            weights.assign(own.begin(), own.end());
        }
        weights.resize(said.keys.size(), 0.0F);
        said.attention.insert(said.attention.end(), weights.begin(), weights.end());
    }
}

std::vector<std::size_t> rows_from(std::size_t first, std::size_t count) {
    std::vector<std::size_t> rows;
    for (std::size_t i = 0; i < count; ++i) rows.push_back(first + i);
    return rows;
}

/// Cross-attention of the last block, averaged over the heads: row t predicts word t.
void look_at_translation(const TextModel& model, const TextRun& run, SaidText& said) {
    said.keys = said.input;
    said.keys.emplace_back(special_words[eos_id]);
    said.queries = said.output;
    if (run.decoded.ended) said.queries.emplace_back(special_words[eos_id]);
    append_rows(said, run.trace.decoder.block(run.trace.decoder.blocks())->cross.attention, model.config.heads,
                rows_from(0, said.queries.size()), {});
}

/// The class token's attention row in one head.
void look_at_review(const TextModel& model, const TextRun& run, const TalliedHead& head, SaidText& said) {
    said.keys = said.input;
    said.keys.insert(said.keys.begin(), special_words[cls_id]);
    said.queries = {special_words[cls_id]};
    append_rows(said, block_of(head, run.trace.encoder)->attention, model.config.heads, rows_from(0, 1),
                one_head(head, model.config.heads));
    if (run.label >= 0)
        said.probability =
            static_cast<double>(run.trace.generator->probabilities(0, static_cast<std::size_t>(run.label)));
}

/// Attention rows of one head, from the last given word on: each row predicts a word of the continuation.
void look_at_story(const TextModel& model, const TextRun& run, const TalliedHead& head, SaidText& said) {
    said.output = to_full_stop(said.output);
    said.keys = said.input;
    said.keys.insert(said.keys.begin(), special_words[bos_id]);
    said.queries = said.output;
    if (!said.output.empty()) said.keys.insert(said.keys.end(), said.output.begin(), said.output.end() - 1);
    append_rows(said, block_of(head, run.trace.decoder)->self.attention, model.config.heads,
                rows_from(said.input.size(), said.queries.size()), one_head(head, model.config.heads));
    if (!run.decoded.steps.empty()) said.probability = run.decoded.steps.front().taken.probability;
}

bool begins_with(const std::vector<std::string>& words, const std::vector<std::string>& first) {
    return words.size() >= first.size() && std::equal(first.begin(), first.end(), words.begin());
}

SaidText run_one(const TextModel& model, const LookedText& text, const TalliedHead& head) {
    const bool story = model.task == TextTask::story;
    const TextRun run = run_text(model, text.words, {.longest = story ? most_said : 0});
    SaidText said{.input = text.words, .output = run.output};
    switch (model.task) {
        case TextTask::translate: look_at_translation(model, run, said); break;
        case TextTask::sentiment: look_at_review(model, run, head, said); break;
        case TextTask::story: look_at_story(model, run, head, said); break;
    }
    said.right =
        !text.expected.empty() && (story ? begins_with(said.output, text.expected) : said.output == text.expected);
    return said;
}

/// A text truncated to the model's number of positions.
std::vector<std::string> truncated_to(std::vector<std::string> words, TextTask task) {
    const auto most = static_cast<std::size_t>(longest_text(task)) - (task == TextTask::story ? 1 : 0);
    if (words.size() > most) words.resize(most);
    return words;
}

}  // namespace

std::vector<LookedText> looked_texts(TextTask task, TextLanguage to, const std::string& typed) {
    const TextLanguage from = source_language(task, to), into = target_language(task, to);
    const Vocabulary source = source_vocabulary(task, to);
    const Vocabulary target = task == TextTask::translate ? target_vocabulary(task, to) : source;
    const auto read = [&](const std::string& text) {
        std::vector<std::string> words = split_words(text, from, source);
        return truncated_to(task == TextTask::story ? std::move(words) : as_sentence(std::move(words), from), task);
    };
    std::vector<LookedText> texts;
    for (const TextSample& sample : text_samples(task, to)) {
        std::vector<std::string> expected =
            task == TextTask::sentiment ? std::vector{sample.expected} : split_words(sample.expected, into, target);
        texts.push_back({read(sample.source), std::move(expected)});
    }
    if (std::vector<std::string> own = read(typed); !own.empty()) texts.push_back({std::move(own), {}});
    return texts;
}

std::vector<SaidText> say(const TextModel& model, const std::vector<LookedText>& texts, const TalliedHead& head) {
    std::vector<SaidText> said;
    for (const LookedText& text : texts) said.push_back(run_one(model, text, head));
    return said;
}

}  // namespace vitrine
