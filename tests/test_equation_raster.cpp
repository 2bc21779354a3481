#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <numeric>

#include "app/ui/widgets/equation_raster.h"
#include "tests/equation_inside.h"

namespace vitrine {
namespace {

Outline outline_of(const std::string& data) {
    return equation_inside("<path d='" + data + "'/>").parts.at(0).outlines.at(0);
}

double area(const Coverage& c) { return std::accumulate(c.amount.begin(), c.amount.end(), 0.0); }

TEST(Coverage, OfASquareIsItsAreaWhereverAndHoweverLargeItIs) {
    const Outline square = outline_of("M1.25 1.5H7.5V8.75H1.25Z");
    for (const float scale : {0.8F, 1.0F, 2.35F, 9.4F})
        for (const Point origin : {Point{0, 0}, Point{0.3F, -4.7F}})
            EXPECT_NEAR(area(coverage_of(square, origin, scale)), 6.25 * 7.25 * scale * scale, 0.01 * scale * scale);
}

TEST(Coverage, IsTheSameWhicheverWayRoundAndLeavesHolesFree) {
    EXPECT_NEAR(area(coverage_of(outline_of("M1 1V9H9V1Z"), {}, 2)), 64 * 4, 0.01);
    EXPECT_NEAR(area(coverage_of(outline_of("M1 1H9V9H1ZM3 3V7H7V3Z"), {}, 2)), (64 - 16) * 4, 0.01);
    const Coverage ring = coverage_of(outline_of("M1 1H9V9H1ZM3 3V7H7V3Z"), {}, 1);
    EXPECT_FLOAT_EQ(ring.at(4, 4), 0);
    EXPECT_FLOAT_EQ(ring.at(0, 4), 1);
}

TEST(Coverage, OfSlantsAndCurvesIsTheirArea) {
    EXPECT_NEAR(area(coverage_of(outline_of("M0 0L9 3L4 8Z"), {}, 3)), 30 * 9, 0.05);
    const Outline circle =  // four cubics, whose area is that of the circle to 0.03 %
        outline_of("M9 5C9 7.2091 7.2091 9 5 9S1 7.2091 1 5S2.7909 1 5 1S9 2.7909 9 5Z");
    for (const float scale : {1.0F, 4.0F})
        EXPECT_NEAR(area(coverage_of(circle, {}, scale)) / (16 * std::numbers::pi * scale * scale), 1, 0.01);
}

TEST(Coverage, TakesNoMorePixelsThanTheOutlineTouches) {
    const Coverage c = coverage_of(outline_of("M4.5 2.25H6.5V3.5H4.5Z"), {0, 0}, 1);
    EXPECT_EQ(c.x, 4);
    EXPECT_EQ(c.y, 2);
    EXPECT_EQ(c.width, 3);
    EXPECT_EQ(c.height, 2);
    EXPECT_FLOAT_EQ(c.at(0, 0), 0.5F * 0.75F);
    EXPECT_FLOAT_EQ(c.at(1, 0), 0.75F);
}

TEST(Coverage, OfARuleFillsWholeRowsAndAtLeastOne) {
    const EquationPaths paths = equation_inside("<rect x='1' y='3.2' width='6' height='.4'/>");
    for (const float scale : {0.8F, 1.0F, 2.0F, 2.35F, 4.0F, 9.4F}) {
        const Coverage c = coverage_of(paths.parts[0].outlines[0], {0, 0}, scale);
        EXPECT_GE(c.height, 1);
        for (int row = 0; row < c.height; ++row) EXPECT_FLOAT_EQ(c.at(c.width / 2, row), 1) << scale;
    }
}

TEST(Rasterise, PaintsEveryPartInItsColourAndNothingElse) {
    const EquationPaths paths =
        equation_inside("<g class='q'><path d='M1 1H3V3H1Z'/></g><g class='k'><path d='M5 5H8V8H5Z'/></g>");
    const Color colors[] = {{}, {200, 10, 20}, {30, 40, 250}};
    const EquationPixels pixels = rasterise({&paths, colors}, 4);
    EXPECT_EQ(pixels.width, 40);
    EXPECT_EQ(pixels.height, 40);
    const auto pixel = [&](int x, int y) {
        const std::uint8_t* p = &pixels.rgba[4 * static_cast<std::size_t>(y * pixels.width + x)];
        return Color{p[0], p[1], p[2], p[3]};
    };
    EXPECT_EQ(pixel(4, 4), colors[1]);
    EXPECT_EQ(pixel(11, 11), colors[1]);
    EXPECT_EQ(pixel(20, 31), colors[2]);
    EXPECT_EQ(pixel(12, 12).a, 0);
    EXPECT_EQ(pixel(35, 2).a, 0);
}

TEST(Rasterise, StaysInsideTheBoxEvenWhereOutlinesLeaveIt) {
    const EquationPaths paths = equation_inside("<path d='M-5-5H20V20H-5Z'/>");
    const Color colors[] = {{255, 255, 255}};
    const EquationPixels pixels = rasterise({&paths, colors}, 3);
    EXPECT_EQ(pixels.rgba.size(), 4U * 30 * 30);
    for (std::size_t i = 3; i < pixels.rgba.size(); i += 4) ASSERT_EQ(pixels.rgba[i], 255);
}

}  // namespace
}  // namespace vitrine
