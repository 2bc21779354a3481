#include <gtest/gtest.h>

#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/widgets/rich_text.h"
#include "app/ui/widgets/svg_canvas.h"
#include "app/ui/widgets/texture_cache.h"
#include "tests/svg_page.h"

namespace vitrine {
namespace {

TEST(Markup, SplitsAnEquationIntoRunsByMeaning) {
    const auto runs = parse_markup("softmax({query|Q}{key|K}ᵀ / √d) {value|V}");
    ASSERT_EQ(runs.size(), 5U);
    EXPECT_EQ(runs[0].words, "softmax(");
    EXPECT_EQ(runs[0].role, "");
    EXPECT_EQ(runs[1].words, "Q");
    EXPECT_EQ(runs[1].role, "query");
    EXPECT_EQ(runs[4].role, "value");
}

TEST(Markup, LeavesOtherBracesAlone) {
    EXPECT_EQ(without_markup("{1, 2} {nobody|x} {query|Q} {query|"), "{1, 2} {nobody|x} Q {query|");
    EXPECT_EQ(without_markup(""), "");
    const RichRun link = parse_markup("{link:lab.ledger|Logit sources}").front();
    EXPECT_EQ(link.words + " " + link.role + " " + link.target, "Logit sources link lab.ledger");
    EXPECT_EQ(without_markup("{nobody:x|y}"), "{nobody:x|y}");
}

TEST(RichText, WrapsIntoTheWidthAndNeverInsideAWord) {
    SvgPage page;
    const RichText text = {"one two three {key|four} five six seven eight", Font::body, {}};
    const Point wide = measure_rich(page.canvas, text, 10000), narrow = measure_rich(page.canvas, text, 90);
    EXPECT_LE(narrow.x, 90);
    EXPECT_GT(narrow.y, 3 * wide.y);
    EXPECT_FLOAT_EQ(rich_text(page.canvas, page.ui, {0, 0, 90, 0}, text), narrow.y);
    EXPECT_NE(page.canvas.document().find(">seven<"), std::string::npos);
}

TEST(RichText, KeepsANumberOnOneLine) {
    SvgPage page;
    for (const char* const number : {"9.13 × 10⁻⁵", "14 %", "112 × 112"}) {
        const float width = measure_rich(page.canvas, {number, Font::body, {}}, 10000).x;
        const RichText text = {std::string("a ") + number, Font::body, {}};
        rich_text(page.canvas, page.ui, {0, 0, width + 1, 0}, text);
        EXPECT_NE(page.canvas.document().find(">" + std::string(number) + "<"), std::string::npos) << number;
    }
}

TEST(RichText, SetsAScriptSmallerThanItsLineInEveryFont) {
    SvgPage page;
    for (const Font font : {Font::caption, Font::body, Font::title}) {
        const auto width = [&](const char* words) { return measure_rich(page.canvas, {words, font, {}}, 10000).x; };
        EXPECT_LT(width("{sub|Q}"), 0.9F * width("Q"));
        EXPECT_LT(width("{sup|Q}"), 0.9F * width("Q"));
    }
}

TEST(RichText, CutsAnAddressThatNoLineHolds) {
    SvgPage page;
    const std::string address = "https://www.example.org/posts/abcdefghijklmnop/a-long-name";
    const RichText text = {"See " + address + " there", Font::body, {}};
    const Point size = measure_rich(page.canvas, text, 120);
    EXPECT_LE(size.x, 120);
    EXPECT_GT(measure_rich(page.canvas, text, 10000).x, 4 * 120);
}

TEST(RichText, KeepsWhatFollowsWithoutABlankOnTheSameLine) {
    SvgPage page;
    const float one_line = measure_rich(page.canvas, {"a", Font::body, {}}, 1000).y;
    const Point size = measure_rich(page.canvas, {"{query|QQQQ}{key|KKKK}", Font::body, {}}, 20);
    EXPECT_FLOAT_EQ(size.y, one_line);
}

TEST(RichText, BreaksAtNewlinesAndBetweenCjkLetters) {
    SvgPage page;
    const float one_line = measure_rich(page.canvas, {"a", Font::body, {}}, 1000).y;
    EXPECT_FLOAT_EQ(measure_rich(page.canvas, {"a\nb", Font::body, {}}, 1000).y, 2 * one_line);
    EXPECT_GT(measure_rich(page.canvas, {"注意の重みを見る", Font::body, {}}, 40).y, one_line);
}

TEST(RichText, EndsNoLineWithAnOpeningBracket) {
    SvgPage page;
    const float with_bracket = measure_rich(page.canvas, {"注意「", Font::body, {}}, 1000).x;
    const Point size = measure_rich(page.canvas, {"注意「重", Font::body, {}}, with_bracket + 0.5F);
    EXPECT_LT(size.x, with_bracket - 1) << "the bracket goes to the next line";
}

/// The lines that words are wrapped into: the width of the first of them, no wider than `room` of its words.
float first_line(const SvgPage& page, const std::string& words, const std::string& room) {
    const float width = measure_rich(page.canvas, {room, Font::body, {}}, 10000).x + 0.5F;
    const RichText text{words, Font::body, {}};
    return measure_rich(page.canvas, text, width).x;
}

TEST(RichText, BeginsNoLineWithAClosingMarkOrAUnitAndEndsNoneWithAnOpeningMarkOrARelation) {
    SvgPage page;
    const auto width = [&](const std::string& words) {
        return measure_rich(page.canvas, {words, Font::body, {}}, 10000).x;
    };
    struct Case {
        std::string words, room, line;  // the widest line that may result
    };
    const Case cases[] = {{"甘甘甘”, x", "甘甘甘", "甘甘”,"},
                          {"甘甘甘) x", "甘甘甘", "甘甘)"},
                          {"甘甘甘, x", "甘甘甘", "甘甘,"},
                          {"甘甘(甘 x", "甘甘(", "甘甘"},
                          {"甘甘99.9 %", "甘甘99.9", "99.9 %"},
                          {"甘甘> 99.9 %", "甘甘>", "> 99.9 %"},
                          {"甘甘3つ", "甘甘3", "甘甘"},
                          {"甘甘= 12 ms", "甘甘=", "= 12 ms"},
                          {"甘甘{strong|12} MiB", "甘甘12", "12 MiB"}};
    for (const Case& one : cases)
        EXPECT_LE(first_line(page, one.words, one.room), std::max(width("甘甘"), width(one.line)) + 1) << one.words;
}

}  // namespace
}  // namespace vitrine
