#include "core/text/sentences.h"

#include <algorithm>

#include "core/text/grammar/sentiment.h"
#include "core/text/grammar/story.h"
#include "core/text/grammar/translation.h"
#include "core/text/grammar/translation_words.h"

namespace vitrine {

namespace {

/// FNV-1a of the words, mixed: the same on every platform.
std::uint64_t number_of(const Phrase& phrase) {
    std::uint64_t hash = 0xCBF29CE484222325ULL;
    for (const Token& token : phrase) {
        for (const char* c = token.word; *c != '\0'; ++c)
            hash = (hash ^ static_cast<unsigned char>(*c)) * 0x100000001B3ULL;
        hash = (hash ^ ' ') * 0x100000001B3ULL;
    }
    return Random(hash).next();
}

/// True if an example with these words belongs to a stream.
bool belongs(const Phrase& words, bool held_out, TextStream stream) {
    constexpr std::uint64_t one_in = 16;
    if (held_out || stream == TextStream::held_out) return held_out && stream == TextStream::held_out;
    return (number_of(words) % one_in == 0) == (stream == TextStream::fresh);
}

/// Draws until an example belongs to the stream; `words_of` returns the words to check.
template <class Draw, class Words>
auto draw_until(Random& random, TextStream stream, Draw draw, Words words_of) {
    while (true) {
        auto drawn = draw(random);
        if (belongs(words_of(drawn), drawn.held_out, stream)) return drawn;
    }
}

std::vector<std::string> strings_of(const Phrase& phrase) {
    std::vector<std::string> words;
    words.reserve(static_cast<std::size_t>(phrase.size()));
    for (const Token& token : phrase) words.emplace_back(token.word);
    return words;
}

std::vector<int> positions_with(const Phrase& phrase, Keys keys) {
    std::vector<int> positions;
    for (int i = 0; i < phrase.size(); ++i)
        if ((phrase[i].keys & keys) != 0) positions.push_back(i);
    return positions;
}

TextExample translation_example(Random& random, TextLanguage to, TextStream stream) {
    const SentencePair pair = draw_until(random, stream, draw_sentence_pair,
                                         [](const SentencePair& p) -> const Phrase& { return p.english; });
    const bool english = to == TextLanguage::english;
    const Phrase &source = english ? pair.japanese : pair.english, &target = english ? pair.english : pair.japanese;
    TextExample example;
    example.source = strings_of(source);
    example.target = strings_of(target);
    example.gold.reserve(example.target.size());
    example.kinds.reserve(example.target.size());
    for (const Token& token : target) {
        example.gold.push_back(positions_with(source, token.keys));
        example.kinds.push_back(token.kind);
    }
    example.pattern = pair.pattern;
    example.held_out = pair.held_out;
    if (!english) example.it = pair.it;
    return example;
}

TextExample review_example(Random& random, TextStream stream) {
    const Review review =
        draw_until(random, stream, draw_review, [](const Review& r) -> const Phrase& { return r.words; });
    TextExample example;
    example.source = strings_of(review.words);
    example.label = review.glad ? 1 : 0;
    example.pattern = review.pattern;
    example.held_out = review.held_out;
    example.deciding = positions_with(review.words, deciding_key);
    example.negation = positions_with(review.words, negation_key);
    example.idle = positions_with(review.words, idle_key);
    return example;
}

TextExample story_example(Random& random, TextStream stream) {
    const Story story = draw_until(random, stream, draw_story, [](const Story& s) -> const Phrase& { return s.words; });
    TextExample example;
    example.source = strings_of(story.words);
    example.pattern = "story";
    example.held_out = story.held_out;
    for (const FixedWord& word : story.fixed) example.far.push_back({word.position, word.kind, {word.deciding}});
    return example;
}

Vocabulary vocabulary_of(TextTask task, TextLanguage language) {
    if (task == TextTask::sentiment) return Vocabulary(all_review_words());
    if (task == TextTask::story) return Vocabulary(all_story_words());
    return Vocabulary(language == TextLanguage::english ? all_english_words() : all_japanese_words());
}

}  // namespace

TextExample draw_example(const TextSet& set, TextStream stream, std::uint64_t number) {
    Random seeds(set.seed);
    Random streams(seeds.next() + static_cast<std::uint64_t>(stream));
    Random random(streams.next() ^ Random(number).next());
    if (set.task == TextTask::sentiment) return review_example(random, stream);
    if (set.task == TextTask::story) return story_example(random, stream);
    return translation_example(random, set.to, stream);
}

int longest_text(TextTask task) {
    if (task == TextTask::sentiment) return longest_review;
    return task == TextTask::story ? longest_story : longest_sentence;
}

Vocabulary source_vocabulary(TextTask task, TextLanguage to) { return vocabulary_of(task, source_language(task, to)); }
Vocabulary target_vocabulary(TextTask task, TextLanguage to) { return vocabulary_of(task, target_language(task, to)); }

std::vector<std::string> sentiment_labels() { return {"bad", "good"}; }

}  // namespace vitrine
