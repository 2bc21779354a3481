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
    ASSERT_TRUE(h.shows("glossary.row.softmax"));
    EXPECT_EQ(h.item("glossary.row.softmax").value, 1) << "marked";
    EXPECT_TRUE(h.item("glossary.row.softmax").visible);
    for (const auto& [id, item] : h.app->probe().items())
        if (id.starts_with("glossary.row.") && id != "glossary.row.softmax") {
            EXPECT_GT(item.rect.y0, h.item("glossary.row.softmax").rect.y0) << id;
        }
}

/// What a word means is told over its panel, not over the picture that it is about.
TEST(GlossaryPage, TellsATermBesideThePicture) {
    for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1920, 1080}}) {
        Harness h(Harness::with_image("cat"), size);
        go_to(h, "scores");
        const std::string term = first_id(h, "term.words.");
        ASSERT_FALSE(term.empty());
        h.hover(term);
        h.frame(60);
        ASSERT_TRUE(h.shows("tooltip"));
        EXPECT_GE(h.item("tooltip").rect.x0, h.app->rect_of("stage").x1) << size.x;
        EXPECT_FALSE(h.item("tooltip").rect.overlaps(h.item(term).rect)) << size.x;
    }
}

}  // namespace
}  // namespace vitrine
