#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "app/rooms/figures/alignment.h"
#include "tests/svg_page.h"
#include "tests/widget_frame.h"

namespace vitrine {
namespace {

using Words = std::vector<std::string>;

TEST(Alignment, WordsStandInReadingOrderInsideTheirRoomAndTouchNoOther) {
    SvgPage page;
    Words words;
    for (int i = 0; i < 15; ++i) words.push_back(std::string(1 + static_cast<std::size_t>(i * 7 % 9), 'w'));
    for (const float width : {150.0F, 300.0F, 390.0F, 2000.0F}) {
        const WordRects placed = place_words_in(page.canvas, page.theme, {5, 10, 5 + width, 290}, words);
        ASSERT_EQ(placed.rects.size(), words.size());
        for (std::size_t i = 0; i < words.size(); ++i) {
            const Rect& r = placed.rects[i];
            EXPECT_GE(r.x0, 5) << width;
            EXPECT_LE(r.x1, 5.5F + width) << width;
            EXPECT_LE(r.y1, 10.5F + placed.height);
            if (i == 0) continue;
            const Rect& before = placed.rects[i - 1];
            EXPECT_TRUE(r.y0 > before.y0 ? r.y0 >= before.y1 : r.x0 > before.x1) << width << ", word " << i;
        }
    }
    EXPECT_TRUE(place_words_in(page.canvas, page.theme, {0, 0, 100, 100}, Words()).rects.empty());
}

TEST(Alignment, AWordThatIsPointedAtTellsItsLargestWeights) {
    WidgetFrame frame;
    const Words keys = {"the", "cat", "."}, queries = {"猫", "は"};
    const std::vector<float> weights = {0.125F, 0.75F, 0.125F, 0.25F, 0.25F, 0.5F};
    const auto draw = [&] {
        WindowCanvas canvas(ImGui::GetWindowDrawList(), frame.ui);
        alignment_figure(canvas, frame.ui, {20, 20, 600, 300},
                         {.id = "a", .keys = keys, .queries = queries, .weights = weights});
    };
    frame.point_at("a.query.0", draw);
    ASSERT_NE(frame.probe.find("readout"), nullptr);
    EXPECT_TRUE(frame.probe.find("readout")->text.starts_with("cat  75.0 %")) << frame.probe.find("readout")->text;
    frame.point_at("a.key.2", draw);
    ASSERT_NE(frame.probe.find("readout"), nullptr);
    EXPECT_TRUE(frame.probe.find("readout")->text.starts_with("は  50.0 %")) << frame.probe.find("readout")->text;
}

TEST(Alignment, LinesPassBetweenTheWordsOnTheirWayToAnotherLevel) {
    std::vector<Rect> words;
    for (int i = 0; i < 21; ++i) {  // three levels, gaps of 8 between their words
        const float x = 30.0F * static_cast<float>(i), y = 40.0F * static_cast<float>(i % 3);
        words.push_back({x, y, x + 82, y + 30});
    }
    for (const bool below : {false, true})
        for (std::size_t i = 0; i < words.size(); ++i) {
            const std::vector<Point> way = way_past_words(words, i, below, 8);
            EXPECT_EQ(way.front().y, below ? words[i].y1 : words[i].y0);
            EXPECT_EQ(way.back().y, below ? 110 : 0) << "it ends where the words do";
            for (std::size_t k = 1; k < way.size(); ++k)
                for (std::size_t other = 0; other < words.size(); ++other) {
                    const Point middle{(way[k - 1].x + way[k].x) / 2, (way[k - 1].y + way[k].y) / 2};
                    EXPECT_FALSE(other != i && words[other].contains(middle)) << i << " passes over " << other;
                }
        }
}

TEST(Alignment, SignsAndSpecialWordsParkWhatHasNoPartner) {
    for (const char* const word : {".", ",", "。", "、", "?", "[EOS]", "[CLS]"}) EXPECT_TRUE(is_sign_or_special(word));
    for (const char* const word : {"a", "cat", "は", "[", "didn't"}) EXPECT_FALSE(is_sign_or_special(word));
}

}  // namespace
}  // namespace vitrine
