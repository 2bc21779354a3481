#include <gtest/gtest.h>

#include "app/ui/glossary.h"
#include "tests/ui/harness.h"

namespace vitrine {
namespace {

TEST(GlossaryPage, OpensByAKeyAndIsSearchedByTyping) {
    Harness h;
    h.press(Key::g, Key::shift);
    ASSERT_TRUE(h.shows("glossary.row.softmax"));
    ASSERT_TRUE(h.shows("glossary.row.logit"));
    h.type("before the softmax");
    EXPECT_TRUE(h.shows("glossary.row.logit")) << "explanations are searched, too";
    EXPECT_FALSE(h.shows("glossary.row.entropy"));
    h.type("zzz");
    EXPECT_TRUE(h.shows("glossary.none"));
    h.press(Key::escape);
    EXPECT_FALSE(h.shows("glossary.row.logit"));
}

TEST(GlossaryPage, OpensFromATermOfAChapterToo) {
    Harness h({Harness::with_image("cat")}, {1920, 1500});
    h.change()->settings.folded.insert("numbers");  // what stands over the words
    go_to(h, "attention");
    const std::string term = first_id(h, "term.words.softmax");
    ASSERT_FALSE(term.empty()) << "underlined where it first occurs";
    EXPECT_EQ(h.item(term).text, "softmax");
    h.hover(term);
    h.frame(60);
    ASSERT_TRUE(h.shows("tooltip"));
    EXPECT_NE(h.item("tooltip").text.find("sum to 1"), std::string::npos) << h.item("tooltip").text;
    h.tap(term);
    EXPECT_TRUE(h.shows("glossary.row.softmax"));
}

}  // namespace
}  // namespace vitrine
