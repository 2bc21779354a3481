#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <regex>
#include <string>
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

TEST(Plot, KnowsWhereItsLinesPass) {
    SvgPage page;
    Plot plot(page.canvas, page.ui, {0, 0, 400, 300}, {0, 10, ""}, {0, 10, ""});
    const std::vector<double> x = {0, 10}, y = {10, 0};
    plot.line({x, y, {}, ""});
    const auto around = [&](double at_x, double at_y) {
        const Point at{plot.x_of(at_x), plot.y_of(at_y)};
        return Rect{at.x - 5, at.y - 5, at.x + 5, at.y + 5};
    };
    EXPECT_TRUE(plot.touches(around(5, 5))) << "between its points";
    EXPECT_FALSE(plot.touches(around(2, 2)));
    EXPECT_FALSE(plot.touches(around(8, 8)));
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

/// How many words stand below and left of a plot's area.
struct TicksTold {
    int across = 0, down = 0;
};
TicksTold ticks_told(const PlotAxis& x, const PlotAxis& y, Rect rect) {
    SvgPage page;
    page.probe.on = true;
    const Plot plot(page.canvas, page.ui, rect, x, y);
    const std::string svg = page.canvas.document();
    TicksTold told;
    for (std::size_t at = svg.find("<text"); at != std::string::npos; at = svg.find("<text", at + 1))
        ++(svg.substr(at, svg.find('>', at) - at).find("\"end\"") != std::string::npos ? told.down : told.across);
    return told;
}

TEST(Plot, LabelsAtLeastThreeTicksOfEveryAxisThatIsLongEnough) {
    for (const bool whole : {false, true})
        for (const double low : {0.0, 0.5, 1.0})
            for (double high = low + (whole ? 2.5 : 0.01); high < 1e5; high *= 1.13) {
                const PlotAxis x{low, high, {}, whole}, y{0, high, {}};
                for (const float width : {200.0F, 300.0F, 420.0F}) {
                    if (width < 300 && high > 500) continue;  // no room for three such words
                    const TicksTold told = ticks_told(x, y, {0, 0, width, 110});
                    EXPECT_GE(told.across, 3) << low << " to " << high << " on " << width << " pixels";
                    EXPECT_GE(told.down, 3) << "up to " << high << " on 110 pixels";
                }
            }
}

TEST(Plot, NoLabelOfAnAxisTouchesTheNext) {
    const std::regex label("<(?:text|tspan) x=\"([0-9.]+)\" y=\"([0-9.]+)\"[^>]*>([^<]+)<");
    for (double high = 3; high < 2e5; high *= 1.07)
        for (const float width : {240.0F, 330.0F, 400.0F}) {
            SvgPage page;
            const Plot plot(page.canvas, page.ui, {0, 0, width, 110}, {0, high, {}}, {0, 1, {}});
            const std::string svg = page.canvas.document();
            float end = -1;
            for (std::sregex_iterator found(svg.begin(), svg.end(), label); found != std::sregex_iterator(); ++found) {
                const std::string words = (*found)[3];
                const float x = std::stof((*found)[1]), half = page.canvas.measure(words, Font::caption).x / 2;
                if (std::stof((*found)[2]) < plot.area().y1 + page.canvas.measure("", Font::caption).y / 2) continue;
                EXPECT_GT(x - half, end) << words << " up to " << high << " on " << width << " pixels";
                end = x + half;
            }
            EXPECT_GT(end, 0) << "no label was found";
        }
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
