#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "app/ui/languages.h"
#include "app/ui/terms.h"
#include "core/base/error.h"

namespace vitrine {
namespace {

const std::vector<Term> terms = {{{"en", "attention"}, {"ja", "注意機構"}},
                                 {{"en", "self-attention"}, {"ja", "自己注意機構"}}};

const Gloss japanese_gloss{"（{english}）", " "}, korean_gloss{"({english})", "은는이가을를"};

TEST(Terms, StandBehindTheirFirstOccurrenceLongestFirst) {
    EXPECT_EQ(with_english("自己注意機構と注意機構、注意機構", terms, "ja", japanese_gloss),
              "自己注意機構（self-attention）と注意機構（attention）、注意機構");
    EXPECT_EQ(with_english("自己注意機構だけ", terms, "ja", japanese_gloss), "自己注意機構（self-attention）だけ");
}

TEST(Terms, KeepOutsideOfMarkupAndLeaveEnglishAlone) {
    EXPECT_EQ(with_english("{query|注意機構}です", terms, "ja", japanese_gloss), "{query|注意機構}（attention）です");
    EXPECT_EQ(with_english("attention", terms, "en", japanese_gloss), "attention");
}

TEST(Terms, AreNoPartsOfKoreanWords) {
    const std::vector<Term> korean = {{{"en", "key"}, {"ko", "키"}}};
    EXPECT_EQ(with_english("가리키는 단어의 키는", korean, "ko", korean_gloss), "가리키는 단어의 키(key)는");
    EXPECT_EQ(with_english("규모를 키우면 키가", korean, "ko", korean_gloss), "규모를 키우면 키(key)가");
    EXPECT_EQ(with_english("{key|키}는", korean, "ko", korean_gloss), "{key|키}(key)는");
}

TEST(Terms, AddNoBracketsInsideOrBeforeOthers) {
    EXPECT_EQ(with_english("（注意機構か MLP）の注意機構", terms, "ja", japanese_gloss),
              "（注意機構か MLP）の注意機構（attention）");
    EXPECT_EQ(with_english("注意機構（MSA）", terms, "ja", japanese_gloss), "注意機構（MSA）");
    EXPECT_EQ(with_english("{query|注意機構} (MSA)", terms, "ja", japanese_gloss), "{query|注意機構} (MSA)");
}

/// A language need not have terms; one that has some has all.
TEST(Terms, AreOfLanguagesThatThereAreAndOfEachAllOrNone) {
    std::ifstream in(std::filesystem::path(VITRINE_SOURCE) / "assets/terms.json");
    const std::string json{std::istreambuf_iterator<char>(in), {}};
    std::map<std::string, std::size_t> count;
    const std::vector<Term> all = parse_terms(json, "terms.json");
    for (const Term& term : all)
        for (const auto& [language, words] : term) {
            EXPECT_TRUE(is_language(language)) << language << " of " << words;
            ++count[language];
        }
    EXPECT_EQ(count["en"], all.size());
    for (const auto& [language, terms_of_it] : count) EXPECT_EQ(terms_of_it, all.size()) << language;
}

TEST(Terms, ABrokenListIsRefused) { EXPECT_THROW(parse_terms("{}", "terms.json"), Error); }

TEST(Prose, IsWhatAStepSaysNotItsLabels) {
    EXPECT_TRUE(is_prose("step.mlp.words"));
    EXPECT_FALSE(is_prose("step.mlp.title"));
    EXPECT_FALSE(is_prose("map.mlp"));
}

}  // namespace
}  // namespace vitrine
