#include <gtest/gtest.h>

#include "app/ui/search.h"

namespace vitrine {
namespace {

SearchIndex some() {
    SearchIndex index;
    index.add(0, "Layer norm");
    index.add(0, "LN, normalise", SearchField::synonym);
    index.add(0, "層正規化", SearchField::other_name);
    index.add(0, "It centres and scales every token.", SearchField::words);
    index.add(1, "Attention");
    index.add(1, "어텐션", SearchField::other_name);
    index.add(2, "Attention matrix");
    index.add(2, "looks at", SearchField::synonym);
    index.add(3, "Head 3");
    index.add(3, "ヘッド 3", SearchField::other_name);
    index.add(4, "Read the model anew");
    return index;
}

using Entries = std::vector<std::size_t>;

TEST(Search, FoldsCaseWidthKanaAndMarks) {
    EXPECT_EQ(folded("Layer-Norm: 3"), U"layer norm 3");
    EXPECT_EQ(folded("ＬＮ３"), U"ln3");
    EXPECT_EQ(folded("ヘッド"), folded("へっど"));
    EXPECT_EQ(folded("Jégou, Łukasz"), U"jegou lukasz");
    EXPECT_EQ(folded("√d"), U"√d");
    EXPECT_EQ(folded("  ·  "), U"");
    EXPECT_EQ(folded("Σ"), U"σ");
    EXPECT_EQ(folded(std::string("a\xE3\x83", 3)), U"a");
}

TEST(Search, PutsTheNameItselfFirst) {
    EXPECT_EQ(some().find("attention"), (Entries{1, 2}));
    EXPECT_EQ(some().find("attention m"), (Entries{2}));
    EXPECT_EQ(some().find("norm").front(), 0U);
}

TEST(Search, KnowsSynonymsAndTheNamesOfOtherLanguages) {
    EXPECT_EQ(some().find("looks at"), (Entries{2}));
    EXPECT_EQ(some().find("LN"), (Entries{0}));
    EXPECT_EQ(some().find("正規化"), (Entries{0}));
    EXPECT_EQ(some().find("어텐"), (Entries{1}));
    EXPECT_EQ(some().find("へっど"), (Entries{3}));
    EXPECT_EQ(some().find("centres"), (Entries{0})) << "last comes what is said of it";
}

TEST(Search, ForgivesOneMistakeWhereNothingElseIsFound) {
    EXPECT_EQ(some().find("atention"), (Entries{1, 2}));
    EXPECT_EQ(some().find("attnetion mtrix"), (Entries{2}));
    EXPECT_EQ(some().find("head"), (Entries{3})) << "\"read\" is one mistake away, and not meant";
    EXPECT_EQ(some().find("lx"), Entries{}) << "of short words none";
    EXPECT_EQ(some().find("zebra"), Entries{});
}

TEST(Search, TakesAQuestionByMostOfItsWords) {
    EXPECT_EQ(some().find("where does it look at the matrix"), (Entries{2}));
    EXPECT_EQ(some().find("how does the attention matrix look"), (Entries{2}))
        << "\"matrix\" is rarer than \"attention\"";
    EXPECT_EQ(some().find("what is the layer norm"), (Entries{0}));
    EXPECT_EQ(some().find("read model zebra"), (Entries{4}));
    EXPECT_EQ(some().find("zebra model"), (Entries{4})) << "no entry has the other word";
    EXPECT_EQ(some().find("zebra zoo"), Entries{});
}

TEST(Search, TakesWordsWithTheirEndingsAndCutsJapaneseWhereTheScriptChanges) {
    EXPECT_EQ(some().find("attentions"), (Entries{1, 2}));
    EXPECT_EQ(some().find("어텐션을"), (Entries{1}));
    EXPECT_EQ(some().find("正規化の式"), (Entries{0})) << "の joins two words";
    EXPECT_EQ(some().find("ヘッドが見る"), (Entries{3}));
    EXPECT_EQ(some().find("は"), Entries{}) << "of a particle alone nothing";
}

TEST(Search, TakesATermWithPunctuationAsAWhole) {
    SearchIndex index;
    index.add(0, "Divide by n − 1");
    index.add(0, "n-1, unbiased", SearchField::synonym);
    index.add(1, "Neural networks, 1 to 16", SearchField::words);
    index.add(2, "Warm-up");
    index.add(3, "A norm in n 12 layers");
    EXPECT_EQ(index.find("n-1"), (Entries{0})) << "neither n… nor 1…, nor n 12";
    EXPECT_EQ(index.find("warm-up"), (Entries{2}));
    EXPECT_EQ(index.find("neural-networks"), (Entries{1}));
    EXPECT_EQ(some().find("n-1"), Entries{}) << "rather nothing than what begins with n";
    EXPECT_EQ(some().find("attention-matrix"), (Entries{2}));
    EXPECT_EQ(some().find("matrix-attention"), (Entries{2})) << "its words where it is nowhere as a whole";
}

TEST(Search, ShowsNoLooseMatchWhereAnEntryHasEveryTerm) {
    SearchIndex index;
    index.add(0, "Layer norm before attention");
    index.add(1, "Attention before attention, layer by layer");
    index.add(2, "Norm");
    EXPECT_EQ(index.find("layer norm attention"), (Entries{0}));
    EXPECT_EQ(index.find("layer norm attention x"), (Entries{0})) << "a letter alone may be missing";
    EXPECT_EQ(some().find("head a"), (Entries{3})) << "while it is typed";
}

TEST(Search, OfEqualMatchesTheWeightierComesFirst) {
    SearchIndex index;
    index.add(0, "Attention in a paper");
    index.add(1, "注意", SearchField::name);
    index.add(1, "Attention", SearchField::other_name);
    index.weigh(0, 0.8);
    EXPECT_EQ(index.find("attention"), (Entries{1, 0})) << "though the first is named so in the language shown";
}

TEST(Search, ShowsAllInTheirOrderWhereNothingIsTyped) {
    EXPECT_EQ(some().find(""), (Entries{0, 1, 2, 3, 4}));
    EXPECT_EQ(some().find(" "), (Entries{0, 1, 2, 3, 4}));
}

TEST(Search, OneEditIsALetterWrongMissingTooManyOrTwoSwapped) {
    for (const auto other : {U"norm", U"nxrm", U"nom", U"norrm", U"nrom"}) EXPECT_TRUE(one_edit_apart(U"norm", other));
    for (const auto other : {U"nmor", U"nx", U"nxxm", U"normal", U""}) EXPECT_FALSE(one_edit_apart(U"norm", other));
}

}  // namespace
}  // namespace vitrine
