#include <gtest/gtest.h>

#include <fstream>

#include "app/ui/terms.h"
#include "core/error.h"

namespace vitrine {
namespace {

const std::vector<Term> terms = {{{"en", "attention"}, {"ja", "注意機構"}},
                                 {{"en", "self-attention"}, {"ja", "自己注意機構"}}};

TEST(Terms, StandBehindTheirFirstOccurrenceLongestFirst) {
    EXPECT_EQ(with_english("自己注意機構と注意機構、注意機構", terms, "ja"),
              "自己注意機構 (self-attention)と注意機構 (attention)、注意機構");
    EXPECT_EQ(with_english("自己注意機構だけ", terms, "ja"), "自己注意機構 (self-attention)だけ");
}

TEST(Terms, KeepOutsideOfMarkupAndLeaveEnglishAlone) {
    EXPECT_EQ(with_english("{query|注意機構}です", terms, "ja"), "{query|注意機構} (attention)です");
    EXPECT_EQ(with_english("attention", terms, "en"), "attention");
}

TEST(Terms, HaveEveryLanguageAndAreRefusedWithASentence) {
    std::ifstream in(std::string(VITRINE_SOURCE) + "/assets/text/terms.json");
    const std::string json{std::istreambuf_iterator<char>(in), {}};
    for (const Term& term : parse_terms(json, "terms.json"))
        for (const char* const language : {"en", "ja", "ko"})
            EXPECT_TRUE(term.contains(language)) << term.begin()->second;
    EXPECT_THROW(parse_terms("{}", "terms.json"), Error);
}

TEST(Prose, IsWhatAStepSaysNotItsLabels) {
    EXPECT_TRUE(is_prose("step.mlp.words"));
    EXPECT_FALSE(is_prose("step.mlp.title"));
    EXPECT_FALSE(is_prose("map.mlp"));
}

}  // namespace
}  // namespace vitrine
