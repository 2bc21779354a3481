#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/error.h"
#include "core/text/sentences.h"
#include "core/text/text_samples.h"
#include "core/text/typed_words.h"
#include "core/text/vocabulary.h"

namespace vitrine {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
constexpr TextLanguage in_english = TextLanguage::english, in_japanese = TextLanguage::japanese;

Vocabulary english_words() { return source_vocabulary(TextTask::translate, in_japanese); }
Vocabulary japanese_words() { return source_vocabulary(TextTask::translate, in_english); }
Vocabulary review_words() { return source_vocabulary(TextTask::sentiment, in_english); }
Vocabulary story_words() { return source_vocabulary(TextTask::story, in_english); }

TEST(Vocabulary, BeginsWithTheSpecialTokensAndGivesEveryWordItsPlace) {
    for (const Vocabulary& words : {english_words(), japanese_words(), review_words(), story_words()}) {
        for (int id = 0; id < words.size(); ++id) EXPECT_EQ(words.id(words.word(id)), id);
        EXPECT_EQ(words.word(pad_id), "[PAD]");
        EXPECT_EQ(words.word(bos_id), "[BOS]");
        EXPECT_EQ(words.word(eos_id), "[EOS]");
        EXPECT_EQ(words.word(unknown_id), "[UNK]");
        EXPECT_EQ(words.word(cls_id), "[CLS]");
        EXPECT_TRUE(std::is_sorted(words.words().begin() + cls_id + 1, words.words().end()));
    }
}

TEST(Vocabulary, GivesAWordThatItDoesNotKnowTheIdOfUnknown) {
    const Vocabulary words({"cat", "dog"});
    EXPECT_EQ(words.id("horse"), unknown_id);
    EXPECT_EQ(words.id(""), unknown_id);
    EXPECT_TRUE(words.knows("cat"));
    EXPECT_FALSE(words.knows("horse"));
    EXPECT_FALSE(words.knows("[CLS]")) << "special tokens are no words that one types";
    EXPECT_THAT(words.ids({"dog", "horse", "cat"}), ElementsAre(6, unknown_id, 5));
}

TEST(Vocabulary, CompletesWhateverTheCaseAndNeverWithASpecialToken) {
    EXPECT_THAT(english_words().completions("stu", 9), ElementsAre("student", "students"));
    EXPECT_THAT(english_words().completions("STU", 1), ElementsAre("student"));
    EXPECT_THAT(story_words().completions("to", 9), ElementsAre("Tom", "took"));
    EXPECT_THAT(japanese_words().completions("彼", 9), ElementsAre("彼", "彼ら", "彼女"));
    EXPECT_THAT(english_words().completions("[", 9), IsEmpty());
    EXPECT_THAT(english_words().completions("", 3), testing::SizeIs(3));
    EXPECT_THAT(english_words().completions("a", 0), IsEmpty());
}

TEST(Vocabulary, IsReadFromTheJsonThatItIsWrittenAs) {
    for (const Vocabulary& words : {english_words(), japanese_words(), story_words(), Vocabulary()})
        EXPECT_EQ(vocabulary_from_json(to_json(words)), words);
}

TEST(Vocabulary, RefusesWhatIsNoListOfDifferentWords) {
    const std::string special = R"("[PAD]","[BOS]","[EOS]","[UNK]","[CLS]")";
    for (const std::string& text :
         {std::string(), std::string("{}"), std::string("[\"a\"]"), "[" + special + ",3]", "[" + special + ",\"\"]",
          "[" + special + ",\"a\",\"a\"]", "[" + special + ",\"[PAD]\"]", std::string(100000, '[')}) {
        try {
            vocabulary_from_json(text);
            ADD_FAILURE() << text.substr(0, 80);
        } catch (const Error& error) {
            EXPECT_THAT(error.what(), HasSubstr("vocabulary"));
        }
    }
}

// ---- what is typed

TEST(TypedWords, PartEnglishAtSpacesAndSigns) {
    const Vocabulary words = english_words();
    EXPECT_THAT(split_words("This is a pen.", in_english, words), ElementsAre("this", "is", "a", "pen", "."));
    EXPECT_THAT(split_words("  DID  I eat it?", in_english, words), ElementsAre("did", "I", "eat", "it", "?"));
    EXPECT_THAT(split_words("i didn\u2019t eat every day", in_english, words),
                ElementsAre("I", "didn't", "eat", "every", "day"));
    EXPECT_THAT(split_words("", in_english, words), IsEmpty());
    EXPECT_THAT(split_words(" \t\n\u3000", in_english, words), IsEmpty());
}

TEST(TypedWords, HaveTheCapitalsOfTheVocabulary) {
    EXPECT_THAT(split_words("tom said \u201Cmy Red hat\u201D.", in_english, story_words()),
                ElementsAre("Tom", "said", "\"", "my", "red", "hat", "\"", "."));
    EXPECT_THAT(split_words("Paris is big.", in_english, english_words()), ElementsAre("Paris", "is", "big", "."))
        << "what is not known stays as it was typed";
}

TEST(TypedWords, SayNotAsTheVocabularyDoes) {
    EXPECT_THAT(split_words("This is not a pen. He did not eat.", in_english, english_words()),
                ElementsAre("this", "isn't", "a", "pen", ".", "he", "didn't", "eat", "."));
    EXPECT_THAT(split_words("I don't think it wasn't bad.", in_english, review_words()),
                ElementsAre("I", "do", "not", "think", "it", "was", "not", "bad", "."));
    EXPECT_THAT(split_words("not n't can't", in_english, english_words()), ElementsAre("not", "n't", "can't"));
}

TEST(TypedWords, AreTheLongestThatJapaneseHas) {
    const Vocabulary words = japanese_words();
    EXPECT_THAT(split_words("これはペンです。", in_japanese, words), ElementsAre("これ", "は", "ペン", "です", "。"));
    EXPECT_THAT(split_words("彼女は彼らを見ませんでした。", in_japanese, words),
                ElementsAre("彼女", "は", "彼ら", "を", "見", "ませんでした", "。"));
    EXPECT_THAT(split_words("これは\u3000ペンですか？", in_japanese, words),
                ElementsAre("これ", "は", "ペン", "です", "か", "。"));
}

TEST(TypedWords, HoldARunOfUnknownLettersTogether) {
    const Vocabulary words = japanese_words();
    const std::vector<std::string> split = split_words("これは飛行機ですABC", in_japanese, words);
    EXPECT_THAT(split, ElementsAre("これ", "は", "飛行機", "です", "ABC"));
    EXPECT_EQ(words.id(split[2]), unknown_id);
}

TEST(TypedWords, AreNeverASpecialToken) {
    for (const TextLanguage language : {in_english, in_japanese}) {
        const Vocabulary words = language == in_english ? english_words() : japanese_words();
        for (const std::string& word : split_words("[PAD][BOS] [CLS]犬[UNK]", language, words))
            EXPECT_TRUE(words.knows(word) || words.id(word) == unknown_id) << word;
    }
}

TEST(TypedWords, TakeAnyBytes) {
    for (const TextLanguage language : {in_english, in_japanese}) {
        const Vocabulary words = language == in_english ? english_words() : japanese_words();
        EXPECT_THAT(split_words("\xFF\xE3\x81", language, words), testing::Each("\uFFFD"));
        EXPECT_THAT(split_words("\xC0\xAF \xED\xA0\x80 \xF4\x90\x80\x80", language, words), testing::Each("\uFFFD"))
            << "too long for their letter, half of a pair, beyond the last letter";
        EXPECT_THAT(split_words("😀é", language, words), ElementsAre("😀é"));
        EXPECT_THAT(split_words(std::string_view("\0\x01\x7F", 3), language, words), IsEmpty());
    }
}

TEST(TypedWords, EndAsASentence) {
    EXPECT_THAT(as_sentence({"I"}, in_english), ElementsAre("I", "."));
    EXPECT_THAT(as_sentence({"I", "?"}, in_english), ElementsAre("I", "?"));
    EXPECT_THAT(as_sentence({"私"}, in_japanese), ElementsAre("私", "。"));
    EXPECT_THAT(as_sentence({"私", "。"}, in_japanese), ElementsAre("私", "。"));
    EXPECT_THAT(as_sentence({}, in_english), IsEmpty());
}

TEST(JoinedWords, ReadAsOneWritesThem) {
    EXPECT_EQ(join_words({"this", "is", "a", "pen", "."}, in_english), "This is a pen.");
    EXPECT_EQ(join_words({"although", "it", "was", "bad", ",", "I", "ate", "."}, in_english),
              "Although it was bad, I ate.");
    EXPECT_EQ(join_words({"Tom", "said", "\"", "my", "hat", "\"", ".", "the", "end"}, in_english),
              "Tom said \"my hat\". The end");
    EXPECT_EQ(join_words({"これ", "は", "ペン", "です", "。"}, in_japanese), "これはペンです。");
    EXPECT_EQ(join_words({}, in_english), "");
}

TEST(JoinedWords, FollowOthersAsTheWholeTextIsWritten) {
    EXPECT_EQ(join_after({"Tom", "said", "\"", "my", "red"}, {"hat", "\"", ".", "Amy", "said", "\"", "my"}, in_english),
              "hat\". Amy said \"my");
    EXPECT_EQ(join_after({"Tom", "lost"}, {"his", "red", "hat", "."}, in_english), "his red hat.");
    EXPECT_EQ(join_after({"the", "end", "."}, {"the", "start"}, in_english), "The start");
    EXPECT_EQ(join_after({}, {"a", "pen", "."}, in_english), "A pen.");
    EXPECT_EQ(join_after({"これ", "は"}, {"ペン", "です", "。"}, in_japanese), "ペンです。");
}

TEST(JoinedWords, AreFoundAgainInWhatWasDrawn) {
    for (const TextTask task : {TextTask::translate, TextTask::sentiment, TextTask::story})
        for (const TextLanguage to : {in_english, in_japanese}) {
            const TextLanguage language = source_language(task, to);
            const Vocabulary words = source_vocabulary(task, to);
            for (std::uint64_t i = 0; i < 5000; ++i) {
                const TextExample example = draw_example({task, to}, TextStream::learning, i);
                EXPECT_EQ(split_words(join_words(example.source, language), language, words), example.source);
            }
        }
}

// ---- samples

TEST(TextSamples, ConsistOfWordsThatAreKnownAndAreWrittenAsWeJoinThem) {
    for (const TextTask task : {TextTask::translate, TextTask::sentiment, TextTask::story})
        for (const TextLanguage to : {in_english, in_japanese}) {
            const TextLanguage language = source_language(task, to);
            const Vocabulary words = source_vocabulary(task, to);
            const std::vector<TextSample> samples = text_samples(task, to);
            EXPECT_GE(samples.size(), 10U);
            for (const TextSample& sample : samples) {
                const std::vector<std::string> split = split_words(sample.source, language, words);
                EXPECT_THAT(words.ids(split), testing::Each(testing::Ne(unknown_id))) << sample.source;
                EXPECT_EQ(join_words(split, language), sample.source);
                EXPECT_LE(static_cast<int>(split.size()), longest_text(task)) << sample.source;
            }
        }
}

TEST(TextSamples, AreTranslatedBothWaysByKnownWords) {
    const std::vector<TextSample> there = text_samples(TextTask::translate, in_japanese),
                                  back = text_samples(TextTask::translate, in_english);
    ASSERT_EQ(there.size(), back.size());
    for (std::size_t i = 0; i < there.size(); ++i) {
        EXPECT_EQ(there[i].name, back[i].name);
        EXPECT_EQ(there[i].source, back[i].expected);
        EXPECT_EQ(there[i].expected, back[i].source);
    }
}

TEST(TextSamples, OfStoriesGoOnWithKnownWords) {
    const Vocabulary words = story_words();
    for (const TextSample& sample : text_samples(TextTask::story, in_english)) {
        const std::vector<std::string> rest = split_words(sample.expected, in_english, words);
        EXPECT_THAT(words.ids(rest), testing::Each(testing::Ne(unknown_id))) << sample.expected;
    }
}

}  // namespace
}  // namespace vitrine
