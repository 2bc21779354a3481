#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/text/familiarity.h"
#include "core/text/sentences.h"
#include "core/text/text_samples.h"
#include "core/text/typed_words.h"

namespace vitrine {
namespace {

std::vector<std::string> words_as_read(const std::string& text, TextTask task, TextLanguage to) {
    std::vector<std::string> words = split_words(text, source_language(task, to), source_vocabulary(task, to));
    return task == TextTask::story ? words : as_sentence(words, source_language(task, to));
}
Familiarity english(const std::string& text) {
    return familiarity_of(words_as_read(text, TextTask::translate, TextLanguage::japanese), TextTask::translate,
                          TextLanguage::japanese);
}

/// Every word of each was drawn for training; the order of the words was not.
constexpr const char* in_another_order[] = {
    "A dog the street is.",
    "She is a cat.",
    "Was the animal tired?",
    "It was the street because.",
    "My garden sees the box.",
    "Cats are kind to dogs.",
    "Yesterday I ate in the garden.",
    "You see you.",
    "Do not eat the dog.",
    "We are in the school today.",
    "The boy in the garden is tired.",
    "I gave to the teacher a book.",
    "See you see you.",
    "A red dog found a white dog found a cat.",
    "Today is a hot day.",
    "The teacher is small because small.",
    "Are you a student?",
    "Did she give it to the boy?",
    "Narrow is the bridge.",
    "Hide in the box.",
    "The cat that the dog saw was small.",
    "Two dogs three cats.",
    "They use pens to draw dogs.",
    "It is dark in the library.",
    "A horse is an animal.",
};
/// With words that no training sentence has.
constexpr const char* with_new_words[] = {
    "My mother is hungry.",
    "The computer is broken.",
    "I love pizza.",
    "He plays the piano.",
    "The sun is yellow.",
    "We drink water every day.",
    "The train is late.",
    "She sings a song.",
    "My brother has a car.",
    "The phone is on the table.",
    "It rains.",
    "I cannot swim.",
    "The doctor helps the child.",
    "They live in a big house.",
    "The window is open.",
    "Please close the door.",
    "The king was old.",
    "Fish swim in the sea.",
    "The moon is bright.",
    "He runs to the station.",
    "Snow is white.",
    "My father reads a newspaper.",
    "The flower is beautiful.",
    "Bread is good.",
    "The baby sleeps.",
};

TEST(Familiarity, OfWhatIsDrawnForTrainingFindsNothingNew) {
    for (const auto& [task, name] : text_task_names)
        for (const TextLanguage to : {TextLanguage::japanese, TextLanguage::english}) {
            for (std::uint64_t i = 0; i < 50; ++i) {
                const TextExample one = draw_example({task, to, 1}, TextStream::learning, 97 * i);
                EXPECT_TRUE(familiarity_of(one.source, task, to).usual()) << name << " " << i;
            }
            for (const TextSample& sample : text_samples(task, to)) {
                const Familiarity f = familiarity_of(words_as_read(sample.source, task, to), task, to);
                EXPECT_TRUE(f.unknown.empty()) << sample.source << ": " << f.unknown.front();
                EXPECT_FALSE(f.longer()) << sample.source;
            }
        }
}

TEST(Familiarity, SaysOfFiftyOwnSentencesOnlyWhatTheTrainingTextsShow) {
    std::set<std::string> words;
    std::set<std::pair<std::string, std::string>> pairs;
    std::size_t longest = 0;
    for (std::uint64_t i = 0; i < familiar_examples; ++i) {
        const TextExample one = draw_example({TextTask::translate, TextLanguage::japanese, 1}, TextStream::learning, i);
        words.insert(one.source.begin(), one.source.end());
        for (std::size_t k = 0; k + 1 < one.source.size(); ++k) pairs.insert({one.source[k], one.source[k + 1]});
        longest = std::max(longest, one.source.size());
    }
    const auto expect_true = [&](const std::string& text) {
        const Familiarity f = english(text);
        EXPECT_EQ(f.longest, static_cast<int>(longest));
        for (const std::string& word : f.unknown) EXPECT_FALSE(words.contains(word)) << text << ": " << word;
        for (const auto& [a, b] : f.apart) {
            EXPECT_TRUE((a.empty() || words.contains(a)) && (b.empty() || words.contains(b))) << text;
            EXPECT_FALSE(pairs.contains({a, b})) << text << ": " << a << " " << b;
        }
        return f;
    };
    for (const char* const text : in_another_order) {
        const Familiarity f = expect_true(text);
        EXPECT_TRUE(f.unknown.empty()) << text << ": " << f.unknown.front();
        EXPECT_FALSE(f.apart.empty()) << text;
    }
    for (const char* const text : with_new_words) EXPECT_FALSE(expect_true(text).unknown.empty()) << text;
}

TEST(Familiarity, CountsTheWordsOfALongerText) {
    std::string text;
    for (int i = 0; i < 20; ++i) text += "the cat ";
    const Familiarity f = english(text);
    EXPECT_TRUE(f.longer());
    EXPECT_EQ(f.words, 41) << "with the full stop";
    EXPECT_TRUE(std::ranges::find(f.apart, std::pair<std::string, std::string>("cat", "the")) != f.apart.end());
}

}  // namespace
}  // namespace vitrine
