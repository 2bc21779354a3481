#include <gtest/gtest.h>

#include <regex>
#include <set>
#include <string>
#include <vector>

#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/ui.h"
#include "app/ui/widgets/heatmap.h"
#include "app/ui/widgets/svg_canvas.h"
#include "app/ui/widgets/texture_cache.h"

namespace vitrine {
namespace {

TEST(GridCell, IsFoundUnderTheMiddleOfItsRectangle) {
    const Rect figure = {10, 20, 110, 90};
    const GridSize size = {7, 13};
    for (int row = 0; row < size.rows; ++row) {
        for (int column = 0; column < size.columns; ++column) {
            const GridCell cell = {row, column};
            EXPECT_EQ(cell_at(figure, size, cell_rect(figure, size, cell).centre()), cell);
        }
    }
}

TEST(GridCell, IsNowhereOutsideTheFigure) {
    const Rect figure = {10, 20, 110, 90};
    EXPECT_FALSE(cell_at(figure, {7, 13}, {9.9F, 50}));
    EXPECT_FALSE(cell_at(figure, {7, 13}, {110, 50}));
    EXPECT_FALSE(cell_at(figure, {0, 0}, {50, 50}));
}

struct Figures {
    Theme theme;
    Text text;
    Probe probe;
    TextureCache textures;
    Ui ui{theme, text, probe, textures};
    SvgCanvas canvas{{0, 0, 400, 300}, theme};
    Figures() { theme.palette = palette_of(theme.kind); }
};

TEST(HeatFigure, KeepsItsCellsSquareAndInsideItsRectangle) {
    Figures f;
    const std::vector<float> values(6 * 3, 0.5F);
    HeatFigure figure = {{values.data(), 6, 3, {}}, "query", "key", true};
    const Rect rect = {0, 0, 400, 300}, cells = heat_figure(f.canvas, f.ui, rect, figure);
    EXPECT_FLOAT_EQ(cells.width() / 3, cells.height() / 6);
    EXPECT_LE(cells.y1, rect.y1);
    EXPECT_GT(cells.x0, rect.x0);
}

TEST(ColourBar, StatesItsEndsItsCaptionAndItsScope) {
    Figures f;
    colour_bar(f.canvas, f.ui, {0, 0, 400, 60}, {{ColourMap::diverging, -0.187F, 0.187F}, "attention", "this head"});
    const std::string svg = f.canvas.document();
    for (const char* words :
         {">attention<", ">this head<", ">\u22120.187<", ">0.187<", ">0<", ">0.100<", ">\u22120.100<"})
        EXPECT_NE(svg.find(words), std::string::npos) << words;
}

TEST(ColourBar, MirrorsTheTicksOfTwoSidesWithTheDecimalsOfItsEnds) {
    for (const Curve curve : {Curve::linear, Curve::root})
        for (const float reach : {0.0754F, 1.0F, 0.187F, 2.38F, 31.4F}) {
            Figures f;
            colour_bar(f.canvas, f.ui, {0, 0, 620, 60}, {{ColourMap::diverging, -reach, reach, curve}, "a", ""});
            const std::string svg = f.canvas.document();
            const std::regex number(">((?:\u2212)?)([0-9]+\\.?[0-9]*)<");
            std::multiset<std::string> below, above;
            std::set<std::size_t> decimals;
            for (std::sregex_iterator at(svg.begin(), svg.end(), number), end; at != end; ++at) {
                const std::string digits = (*at)[2];
                if (digits == "0") continue;
                ((*at)[1].length() > 0 ? below : above).insert(digits);
                decimals.insert(digits.size() - digits.find('.'));
            }
            EXPECT_EQ(below, above) << reach;
            EXPECT_GE(above.size(), 2U) << "an end and at least one tick, " << reach;
            EXPECT_EQ(decimals.size(), 1U) << reach;
        }
}

TEST(ColourScale, ASignedRootMirrorsAndKeepsZeroInTheMiddle) {
    const ColourScale scale{ColourMap::diverging, -4, 4, Curve::root};
    EXPECT_FLOAT_EQ(scale.position(0), 0.5F);
    EXPECT_FLOAT_EQ(scale.position(1), 0.75F);
    EXPECT_FLOAT_EQ(scale.position(-1), 0.25F);
    EXPECT_FLOAT_EQ(scale.position(-4), 0);
    EXPECT_FLOAT_EQ(scale.position(9), 1);
}

}  // namespace
}  // namespace vitrine
