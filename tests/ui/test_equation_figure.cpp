#include <gtest/gtest.h>

#include "app/ui/widgets/canvas.h"
#include "app/ui/widgets/equation.h"
#include "app/ui/widgets/svg_canvas.h"
#include "tests/ui/harness.h"
#include "tests/widget_frame.h"

namespace vitrine {
namespace {

/// The attention equation, drawn in a window of its own.
class EquationInAWindow : public testing::Test {
protected:
    EquationInAWindow() {
        widgets_ = [this] {
            WindowCanvas canvas(ImGui::GetWindowDrawList(), frame_.ui);
            hit_ = equation_figure(canvas, frame_.ui, {20, 20, 380, 400}, figure_);
        };
    }

    WidgetFrame frame_;
    EquationFigure figure_ = {"attention", {}, "softmax(QK / d) V"};
    EquationHit hit_;
    std::function<void()> widgets_;
};

TEST_F(EquationInAWindow, ReportsTheSymbolUnderThePointerAndNoneElsewhere) {
    for (const char* const symbol : {"q", "k", "v", "attention"}) {
        frame_.point_at(std::string("equation.") + symbol, widgets_);
        EXPECT_EQ(hit_.symbol, symbol);
    }
    feed_mouse_position(700, 500);
    frame_.draw(widgets_);
    frame_.draw(widgets_);
    EXPECT_EQ(hit_.symbol, "");
    EXPECT_EQ(frame_.probe.find("equation")->text, figure_.words);
}

TEST_F(EquationInAWindow, MeansTheInnerSymbolWhereMarksNest) {
    frame_.draw(widgets_);
    const Rect scores = frame_.probe.find("equation.scores")->rect, d = frame_.probe.find("equation.d")->rect;
    EXPECT_TRUE(scores.contains(d.centre()));
    frame_.point_at("equation.d", widgets_);
    EXPECT_EQ(hit_.symbol, "d");
    frame_.point_at("equation.scores", widgets_);
    EXPECT_EQ(hit_.symbol, "scores") << "the bar of the fraction belongs to the whole fraction";
}

TEST_F(EquationInAWindow, SaysWhichSymbolsAreLit) {
    figure_.lit = {"k", "v", ""};
    frame_.draw(widgets_);
    for (const auto& [id, lit] : {std::pair{"equation.k", 1}, {"equation.v", 1}, {"equation.q", 0}})
        EXPECT_EQ(frame_.probe.find(id)->value, lit) << id;
}

TEST_F(EquationInAWindow, FitsTheWidthAndKeepsItsShape) {
    const Point whole = equation_size(frame_.ui, figure_, 1e6F), narrow = equation_size(frame_.ui, figure_, 100);
    EXPECT_NEAR(narrow.x, 100, 0.01);
    EXPECT_NEAR(narrow.y / narrow.x, whole.y / whole.x, 1e-3);
    figure_.size = 100;
    const float grown = equation_size(frame_.ui, figure_, 1e6F).x / whole.x;
    EXPECT_NEAR(grown, 8 / 1.3F, 1e-3) << "large enough for the back of a hall, and no larger";
}

TEST_F(EquationInAWindow, DrawsNothingWhereThereIsNoSuchEquation) {
    figure_.id = "unheard_of";
    frame_.draw(widgets_);
    EXPECT_EQ(frame_.probe.find("equation"), nullptr);
    EXPECT_EQ(equation_size(frame_.ui, figure_, 300).y, 0);
}

TEST(EquationInAFile, IsMadeOfRealPathsInTheColoursOfItsSymbols) {
    WidgetFrame frame;
    SvgCanvas canvas({400, 200}, frame.theme);
    draw_equation(canvas, frame.ui, {10, 10, 390, 190}, {"attention", {}, {}});
    const std::string svg = canvas.document();
    std::size_t paths = 0, filled_parts = 0;
    for (std::size_t at = svg.find("<path d=\"M"); at != svg.npos; at = svg.find("<path d=\"M", at + 1)) ++paths;
    for (const EquationPart& part : find_equation("attention")->parts) filled_parts += part.outlines.empty() ? 0 : 1;
    EXPECT_EQ(paths, filled_parts);
    EXPECT_EQ(svg.find("<image"), svg.npos);
    char hex[8];
    const Color key = frame.theme.palette.key;
    std::snprintf(hex, sizeof hex, "#%02x%02x%02x", key.r, key.g, key.b);
    EXPECT_NE(svg.find(hex), svg.npos);
}

TEST(App, PointingAtASymbolOfTheEquationLightsItEverywhereAndOnlySoLong) {
    Opening state = Harness::with_image("cat");
    state.selection.focus.step = step_index("attention");
    Harness h(std::move(state));
    EXPECT_EQ(h.item("equation.v").value, 0);
    h.hover("equation.v");
    EXPECT_EQ(h.app->workspace().selection.hovered_symbol(), "v");
    EXPECT_EQ(h.item("equation.v").value, 1);
    EXPECT_EQ(h.item("equation.q").value, 0);
    h.input.move(2, 2);
    h.frame(3);
    EXPECT_EQ(h.app->workspace().selection.hovered_symbol(), "");
    EXPECT_EQ(h.item("equation.v").value, 0);
}

}  // namespace
}  // namespace vitrine
