#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/widgets/plot.h"
#include "app/ui/widgets/svg_canvas.h"
#include "app/ui/widgets/texture_cache.h"
#include "tests/svg_page.h"

namespace vitrine {
namespace {

TEST(Plot, PutsTheEndsOfItsAxesAtTheEdgesOfItsArea) {
    SvgPage page;
    const Plot plot(page.canvas, page.ui, {0, 0, 400, 300}, {-1, 3, "x"}, {0, 2, "y"});
    EXPECT_FLOAT_EQ(plot.x_of(-1), plot.area().x0);
    EXPECT_FLOAT_EQ(plot.x_of(3), plot.area().x1);
    EXPECT_FLOAT_EQ(plot.y_of(0), plot.area().y1);
    EXPECT_FLOAT_EQ(plot.y_of(2), plot.area().y0);
}

TEST(Plot, BreaksALineAtWhatIsNoNumber) {
    SvgPage page;
    Plot plot(page.canvas, page.ui, {0, 0, 400, 300}, {0, 4, ""}, {0, 1, ""});
    const std::vector<double> x = {0, 1, 2, 3, 4}, y = {0, 1, std::nan(""), 1, 0};
    plot.line({x, y, {}, ""});
    EXPECT_EQ(page.count("<polyline"), 2U);
}

TEST(Plot, ReadsOutTheNearestPointAndNothingOutside) {
    SvgPage page;
    Plot plot(page.canvas, page.ui, {0, 0, 400, 300}, {0, 10, "ℓ"}, {0, 1, ""});
    const std::vector<double> x = {0, 5, 10}, y = {0.125, 0.25, 0.5};
    plot.line({x, y, {}, "entropy"});
    plot.readout({-5, -5});
    EXPECT_EQ(page.count("entropy"), 0U);
    plot.readout({plot.x_of(5.9), plot.area().centre().y});
    EXPECT_EQ(page.count(">ℓ = 5.00<"), 1U);
    EXPECT_EQ(page.count(">entropy  0.250<"), 1U);
}

TEST(Plot, SurvivesRangesOfNoWidthAndNoRoom) {
    SvgPage page;
    Plot plot(page.canvas, page.ui, {0, 0, 10, 5}, {1, 1, "x"}, {2, 2, "y"});
    const std::vector<double> values = {1};
    plot.line({values, values, {}, ""});
    plot.readout({5, 2});
    EXPECT_EQ(page.count("nan"), 0U);
}

TEST(Plot, NamesItsCurvesInALegendWhereThereIsRoom) {
    SvgPage page;
    Plot plot(page.canvas, page.ui, {0, 0, 400, 300}, {0, 10, ""}, {0, 1, ""});
    const std::vector<double> x = {0, 10}, y = {0, 1};
    plot.line({x, y, {}, "A"});
    plot.line({x, y, {}, "B"});
    EXPECT_FALSE(legend(page.canvas, page.ui, {0, 0, 20, 20}, plot.entries(), "legend"));
    EXPECT_EQ(page.count(">A<"), 0U) << "nothing is cut";
    EXPECT_TRUE(legend(page.canvas, page.ui, {100, 0, 400, 20}, plot.entries(), "legend"));
    EXPECT_EQ(page.count(">A<"), 1U);
    EXPECT_EQ(page.count(">B<"), 1U);
}

TEST(Histogram, CountsEveryFiniteValueOnce) {
    const float infinite = std::numeric_limits<float>::infinity();
    const std::vector<float> values = {0, 0.1F, 0.5F, 0.99F, 1, -3, infinite, std::nanf("")};
    const Histogram counts = histogram(values, 4, 0, 1);
    EXPECT_EQ(counts.heights, (std::vector<double>{2, 0, 1, 2}));
    EXPECT_EQ(counts.edges.size(), 5U);
}

}  // namespace
}  // namespace vitrine
