#include <gtest/gtest.h>

#include <vector>

#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/widgets/bars.h"
#include "app/ui/widgets/svg_canvas.h"
#include "app/ui/widgets/texture_cache.h"
#include "tests/svg_page.h"

namespace vitrine {
namespace {

TEST(BarList, WritesLabelValueAndSignedChange) {
    SvgPage page;
    const std::vector<BarRow> rows = {{"cat", 0.973, 0.931}, {"boat", 0.01, {}}};
    bar_list(page.canvas, page.ui, {0, 0, 400, 300}, {rows, 1, BarUnit::fraction, {255, 0, 0}});
    EXPECT_TRUE(page.says(">cat<"));
    EXPECT_TRUE(page.says(">97.3 %<"));
    EXPECT_TRUE(page.says(">+4.2 " + page.ui.text("glossary.pp") + "<"));
    EXPECT_TRUE(page.says(">1.0 %<"));
}

TEST(BarList, RowsFollowEachOtherDownTheRectangle) {
    SvgPage page;
    const std::vector<BarRow> rows(3, BarRow{"row", 0.5, {}});
    const Rect rect = {10, 20, 400, 300};
    const float height = bar_list(page.canvas, page.ui, rect, {rows, 1, BarUnit::number, {}});
    EXPECT_FLOAT_EQ(bar_row_rect(page.ui, rect, 0).y0, rect.y0);
    EXPECT_FLOAT_EQ(bar_row_rect(page.ui, rect, 2).y1, rect.y0 + height);
}

TEST(FeatureBars, PointRisesAboveZeroAndHangsBelowIt) {
    SvgPage page;
    const std::vector<float> values = {1, -1};
    page.theme.palette.positive = {1, 2, 3};
    page.theme.palette.negative = {4, 5, 6};
    feature_bars(page.canvas, page.ui, {0, 0, 100, 40}, {values, 2, {}});
    EXPECT_TRUE(page.says("<rect x=\"0\" y=\"10\" width=\"49\" height=\"10\" fill=\"#010203\""));
    EXPECT_TRUE(page.says("<rect x=\"50\" y=\"20\" width=\"49\" height=\"10\" fill=\"#040506\""));
}

TEST(Feature, IsFoundUnderThePoint) {
    EXPECT_EQ(feature_at({0, 0, 100, 10}, 64, {99.9F, 5}), 63);
    EXPECT_FALSE(feature_at({0, 0, 100, 10}, 64, {50, 11}));
}

}  // namespace
}  // namespace vitrine
