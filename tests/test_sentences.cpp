#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "core/text/bag_of_words.h"
#include "core/text/grammar/english_glosses.h"
#include "core/text/grammar/translation_words.h"
#include "core/text/sentences.h"
#include "core/text/text_samples.h"
#include "core/text/typed_words.h"

namespace vitrine {
namespace {

constexpr TextLanguage english = TextLanguage::english, japanese = TextLanguage::japanese;
constexpr TextTask all_tasks[] = {TextTask::translate, TextTask::sentiment, TextTask::story};
constexpr TextStream all_streams[] = {TextStream::learning, TextStream::held_out, TextStream::fresh};
using Sentence = std::vector<std::string>;

std::vector<TextExample> examples(const TextSet& set, TextStream stream, std::uint64_t count) {
    std::vector<TextExample> drawn;
    for (std::uint64_t i = 0; i < count; ++i) drawn.push_back(draw_example(set, stream, i));
    return drawn;
}

bool stands_in(const std::string& word, const Sentence& sentence) {
    return std::find(sentence.begin(), sentence.end(), word) != sentence.end();
}

TEST(Sentences, AreAFunctionOfSetStreamAndNumber) {
    for (const TextTask task : all_tasks) {
        const TextExample drawn = draw_example({task}, TextStream::learning, 7);
        EXPECT_EQ(draw_example({task}, TextStream::learning, 7).source, drawn.source);
        std::set<Sentence> different;
        for (std::uint64_t i = 0; i < 20; ++i) {
            different.insert(draw_example({task}, TextStream::learning, i).source);
            different.insert(draw_example({task, japanese, 2}, TextStream::learning, i).source);
        }
        EXPECT_GT(different.size(), 30U) << "other numbers and seeds, other sentences";
    }
}

TEST(Sentences, AreTheSameOnEveryPlatform) {
    const auto text = [](TextTask task, TextStream stream) {
        return join_words(draw_example({task}, stream, 1000).source, english);
    };
    EXPECT_EQ(text(TextTask::translate, TextStream::learning), "Those aren't hot fish.");
    EXPECT_EQ(text(TextTask::translate, TextStream::held_out), "Did the young boy use this ball in the library?");
    EXPECT_EQ(text(TextTask::sentiment, TextStream::fresh), "I thought the food would be fresh, but it was bad.");
    EXPECT_EQ(text(TextTask::story, TextStream::learning),
              "Leo has a yellow hat. Jin has a white key. Leo took the white key. Leo said \"my yellow hat\". Jin said "
              "\"my white key\".");
}

TEST(Sentences, AreInEitherDirectionTheSame) {
    for (std::uint64_t i = 0; i < 200; ++i) {
        const TextExample there = draw_example({TextTask::translate, japanese}, TextStream::learning, i);
        const TextExample back = draw_example({TextTask::translate, english}, TextStream::learning, i);
        EXPECT_EQ(there.source, back.target);
        EXPECT_EQ(there.target, back.source);
    }
}

TEST(Sentences, FitTheLengthThatIsSaid) {
    for (const TextTask task : all_tasks) {
        std::size_t longest = 0;
        for (const TextExample& example : examples({task}, TextStream::learning, 20000))
            longest = std::max({longest, example.source.size(), example.target.size()});
        EXPECT_EQ(static_cast<int>(longest), longest_text(task)) << name_of(task);
    }
}

TEST(Sentences, OfOneStreamAreNoneOfAnotherWhateverTheSeed) {
    for (const TextTask task : all_tasks) {
        std::map<Sentence, TextStream> stream_of;
        for (const std::uint64_t seed : {1U, 2U})
            for (const TextStream stream : all_streams)
                for (const TextExample& example : examples({task, japanese, seed}, stream, 5000)) {
                    EXPECT_EQ(stream_of.emplace(example.source, stream).first->second, stream);
                    EXPECT_EQ(example.held_out, stream == TextStream::held_out);
                }
    }
}

TEST(Sentences, ShowEveryWordOfTheVocabularyInLearningAndNoOther) {
    for (const TextTask task : all_tasks) {
        std::set<std::string> sources, targets;
        for (const TextExample& example : examples({task}, TextStream::learning, 30000)) {
            sources.insert(example.source.begin(), example.source.end());
            targets.insert(example.target.begin(), example.target.end());
        }
        const auto expect = [&](const Vocabulary& vocabulary, const std::set<std::string>& seen) {
            EXPECT_THAT(
                Sentence(seen.begin(), seen.end()),
                testing::ElementsAreArray(vocabulary.words().begin() + special_words.size(), vocabulary.words().end()));
        };
        expect(source_vocabulary(task, japanese), sources);
        if (task == TextTask::translate) expect(target_vocabulary(task, japanese), targets);
    }
}

TEST(Sentences, GiveEveryJapaneseWordAMeaningInEnglish) {
    const Vocabulary words = target_vocabulary(TextTask::translate, japanese);
    for (int id = static_cast<int>(special_words.size()); id < words.size(); ++id)
        if (words.word(id) != "、" && words.word(id) != "。") {
            EXPECT_NE(english_gloss(words.word(id)), "") << words.word(id);
        }
    for (const Noun& noun : translation_words().nouns) EXPECT_EQ(english_gloss(noun.japanese), noun.singular);
    EXPECT_EQ(english_gloss("食べた"), "ate");
    EXPECT_EQ(english_gloss("cat"), "") << "an English word needs none";
}

TEST(Sentences, AreFunctionsOfOneAnotherInBothDirections) {
    std::map<Sentence, Sentence> there, back;
    for (const TextStream stream : {TextStream::learning, TextStream::held_out})
        for (const TextExample& example : examples({TextTask::translate}, stream, 50000)) {
            EXPECT_EQ(there.emplace(example.source, example.target).first->second, example.target);
            EXPECT_EQ(back.emplace(example.target, example.source).first->second, example.source);
        }
    EXPECT_GT(there.size(), 40000U) << "most of 100,000 differ";
}

// ---- what is known about translations

TEST(Sentences, AlignEveryNounOfATranslationWithANoun) {
    for (const TextLanguage to : {english, japanese}) {
        std::size_t nouns = 0;
        for (const TextExample& example : examples({TextTask::translate, to}, TextStream::held_out, 5000)) {
            ASSERT_EQ(example.gold.size(), example.target.size());
            ASSERT_EQ(example.kinds.size(), example.target.size());
            for (std::size_t t = 0; t < example.target.size(); ++t) {
                EXPECT_TRUE(std::is_sorted(example.gold[t].begin(), example.gold[t].end()));
                for (const int s : example.gold[t]) {
                    EXPECT_GE(s, 0);
                    EXPECT_LT(s, static_cast<int>(example.source.size()));
                }
                EXPECT_TRUE(example.kinds[t] == WordKind::other || !example.gold[t].empty()) << example.target[t];
                nouns += example.kinds[t] == WordKind::noun ? 1 : 0;
            }
        }
        EXPECT_GT(nouns, 5000U);
    }
}

/// What a noun is called in Japanese.
std::map<std::string, std::string> japanese_of_nouns() {
    std::map<std::string, std::string> names;
    for (const Noun& noun : translation_words().nouns) {
        names[noun.singular] = noun.japanese;
        names[noun.plural] = noun.japanese;
    }
    return names;
}

TEST(Sentences, AlignANounWithItsOwnName) {
    const std::map<std::string, std::string> names = japanese_of_nouns();
    for (const TextExample& example : examples({TextTask::translate}, TextStream::learning, 5000))
        for (std::size_t t = 0; t < example.target.size(); ++t) {
            if (example.kinds[t] != WordKind::noun) continue;
            const bool named = std::any_of(example.gold[t].begin(), example.gold[t].end(), [&](int s) {
                const auto name = names.find(example.source[static_cast<std::size_t>(s)]);
                return name != names.end() && name->second == example.target[t];
            });
            EXPECT_TRUE(named) << example.target[t] << " in " << join_words(example.source, english);
        }
}

TEST(Sentences, BeginWithTheNounThatItMeans) {
    const std::map<std::string, std::string> names = japanese_of_nouns();
    int subjects = 0, all = 0;
    for (const TextExample& example : examples({TextTask::translate}, TextStream::learning, 20000)) {
        EXPECT_EQ(example.it.has_value(), example.pattern == "it");
        if (!example.it) continue;
        const auto word = [&](int at) { return example.source[static_cast<std::size_t>(at)]; };
        EXPECT_EQ(word(example.it->it), "it");
        EXPECT_EQ(names.at(word(example.it->noun)), example.target[0]);
        EXPECT_NE(names.at(word(example.it->other)), example.target[0]);
        EXPECT_THAT(example.gold[0], testing::ElementsAre(example.it->noun, example.it->it));
        subjects += example.it->noun < example.it->other ? 1 : 0;
        ++all;
    }
    EXPECT_GT(all, 4000);
    EXPECT_NEAR(static_cast<double>(subjects) / all, 0.5, 0.03) << "neither noun is meant more often";
}

TEST(Sentences, NeedTheVerbToSayWhatItMeans) {
    // the same subject, object and adjective mean one noun with one verb and the other one with another
    std::map<Sentence, std::set<bool>> meant;
    for (const TextStream stream : {TextStream::learning, TextStream::held_out})
        for (const TextExample& example : examples({TextTask::translate}, stream, 20000)) {
            if (!example.it) continue;
            const Pronoun it = *example.it;
            const auto word = [&](int at) { return example.source[static_cast<std::size_t>(at)]; };
            meant[{word(std::min(it.noun, it.other)), word(std::max(it.noun, it.other)), word(it.it + 3)}].insert(
                it.noun < it.other);
        }
    EXPECT_EQ((meant[{"book", "box", "big"}].size()), 2U) << "fit in, cover";
    EXPECT_EQ((meant[{"book", "box", "small"}].size()), 2U);
}

TEST(Sentences, HoldOutTheLecturesOwnExamples) {
    const std::vector<TextSample> samples = text_samples(TextTask::translate, japanese);
    std::set<std::string> found;
    for (const TextExample& example : examples({TextTask::translate}, TextStream::held_out, 300000)) {
        const std::string text = join_words(example.source, english);
        for (const TextSample& sample : samples)
            if (sample.source == text) {
                EXPECT_EQ(join_words(example.target, japanese), sample.expected);
                found.insert(sample.name);
            }
    }
    for (const char* const name : {"pen", "tired", "wide", "fit_big", "fit_small", "cover_big", "cover_small"})
        EXPECT_EQ(found.count(name), 1U) << name;
}

// ---- reviews

TEST(Reviews, AreGladAsOftenAsNotAndNegatedThreeTimesInTen) {
    double glad = 0, negated = 0;
    constexpr std::uint64_t count = 20000;
    for (const TextExample& example : examples({TextTask::sentiment}, TextStream::learning, count)) {
        glad += *example.label;
        negated += example.negation.empty() ? 0 : 1;
    }
    EXPECT_NEAR(glad / count, 0.5, 0.02);
    EXPECT_NEAR(negated / count, 0.3, 0.05);
}

TEST(Reviews, SayTheirLabelByTheDecidingAdjectiveAndItsNegation) {
    const std::set<std::string> glad_words = {"good",      "great",  "wonderful", "perfect",   "exciting", "funny",
                                              "beautiful", "lovely", "clean",     "delicious", "fresh"};
    for (const TextExample& example : examples({TextTask::sentiment}, TextStream::held_out, 5000)) {
        ASSERT_EQ(example.deciding.size(), 1U);
        ASSERT_LE(example.negation.size(), 1U);
        const auto word = [&](int at) { return example.source[static_cast<std::size_t>(at)]; };
        const bool glad = glad_words.count(word(example.deciding[0])) != 0;
        for (const int at : example.negation) EXPECT_EQ(word(at), "not");
        EXPECT_EQ(*example.label == 1, glad != !example.negation.empty()) << join_words(example.source, english);
        EXPECT_EQ(example.idle.empty(), !stands_in(",", example.source));
    }
}

TEST(Reviews, OfTwoSpeakersTellNothingByTheOneWhoDoesNotCount) {
    const std::set<std::string> glad_words = {"good",      "great",  "wonderful", "perfect",   "exciting", "funny",
                                              "beautiful", "lovely", "clean",     "delicious", "fresh"};
    double alike = 0, all = 0;
    for (const TextExample& example : examples({TextTask::sentiment}, TextStream::learning, 20000)) {
        if (example.pattern != "two") continue;
        const bool glad = glad_words.count(example.source[static_cast<std::size_t>(example.idle.back())]) != 0;
        alike += (glad != (example.idle.size() == 2)) == (*example.label == 1) ? 1 : 0;
        ++all;
    }
    EXPECT_NEAR(alike / all, 0.4, 0.05);
}

TEST(Reviews, AreHardlyToldByWhichWordsTheyHave) {
    const double right = bag_of_words_accuracy({});
    EXPECT_GT(right, 0.52);
    EXPECT_LT(right, 0.62);
}

TEST(Reviews, OfTheSamplesAreExpectedToHaveALabel) {
    const std::vector<std::string> labels = sentiment_labels();
    for (const TextSample& sample : text_samples(TextTask::sentiment, english))
        EXPECT_TRUE(stands_in(sample.expected, labels)) << sample.expected;
}

// ---- stories

TEST(Stories, FixAWordByAFarOne) {
    std::map<FarKind, int> counts;
    for (const TextExample& example : examples({TextTask::story}, TextStream::held_out, 3000)) {
        EXPECT_TRUE(std::is_sorted(example.far.begin(), example.far.end(),
                                   [](const FarWord& a, const FarWord& b) { return a.position < b.position; }));
        for (const FarWord& far : example.far) {
            ASSERT_EQ(far.deciding.size(), 1U);
            ASSERT_LT(far.deciding[0], far.position) << "what decides stands before";
            const std::string& word = example.source[static_cast<std::size_t>(far.position)];
            const std::string& why = example.source[static_cast<std::size_t>(far.deciding[0])];
            if (far.kind == FarKind::pronoun)
                EXPECT_TRUE(word == "his" || word == "her");
            else
                EXPECT_EQ(word, why);
            ++counts[far.kind];
        }
    }
    EXPECT_EQ(counts.size(), std::size(far_kind_names));
}

TEST(Stories, GiveNobodyTheThingOfAnother) {
    for (const TextExample& example : examples({TextTask::story}, TextStream::learning, 3000)) {
        std::set<std::string> colours, objects;
        const auto owners = std::count(example.source.begin(), example.source.end(), "has");
        for (std::ptrdiff_t i = 0; i < owners; ++i) {
            colours.insert(example.source[static_cast<std::size_t>(6 * i + 3)]);
            objects.insert(example.source[static_cast<std::size_t>(6 * i + 4)]);
        }
        EXPECT_EQ(static_cast<std::ptrdiff_t>(colours.size()), owners);
        EXPECT_EQ(static_cast<std::ptrdiff_t>(objects.size()), owners) << "a colour says which thing it is";
    }
}

}  // namespace
}  // namespace vitrine
