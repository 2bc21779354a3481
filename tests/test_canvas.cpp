#include <gtest/gtest.h>
#include <imgui.h>

#include "app/ui/widgets/canvas.h"
#include "app/ui/widgets/svg_canvas.h"
#include "tests/widget_frame.h"

namespace vitrine {
namespace {

TEST(CellOpacity, GrowsFromItsFloorWithTheSquareRoot) {
    const HeatMap map = {nullptr, 0, 0, {ColourMap::sequential, 0, 1}, 0.2F};
    EXPECT_NEAR(colour_of_cell(map, 0, ThemeKind::dark).a, 0.2 * 255, 1);
    EXPECT_NEAR(colour_of_cell(map, 0.25F, ThemeKind::dark).a, 0.6 * 255, 1);
    EXPECT_EQ(colour_of_cell(map, 1, ThemeKind::dark).a, 255);
}

TEST(CellOpacity, OfASignedMapIsLeastAtZero) {
    const HeatMap map = {nullptr, 0, 0, {ColourMap::diverging, -1, 1}, 0.0F};
    EXPECT_EQ(colour_of_cell(map, 0, ThemeKind::dark).a, 0);
    EXPECT_EQ(colour_of_cell(map, -1, ThemeKind::dark).a, 255);
    EXPECT_EQ(colour_of_cell(map, 1, ThemeKind::dark).a, 255);
}

TEST(Desaturate, LeavesGreyAloneAtZero) {
    std::vector<std::uint8_t> rgb = {200, 100, 0, 50, 50, 50};
    desaturate(rgb, 0);
    EXPECT_EQ(rgb[0], rgb[1]);
    EXPECT_EQ(rgb[1], rgb[2]);
    EXPECT_EQ(rgb[3], 50);
}

TEST(Hatch, StaysInsideItsRectangle) {
    WidgetFrame frame;
    frame.draw([&] {
        ImDrawList* list = ImGui::GetWindowDrawList();
        const int before = list->VtxBuffer.Size;
        WindowCanvas canvas(list, frame.ui);
        hatch(canvas, {100, 100, 160, 130}, {255, 255, 255}, 8);
        ASSERT_GT(list->VtxBuffer.Size, before);
        for (int i = before; i < list->VtxBuffer.Size; ++i) {
            EXPECT_NEAR(list->VtxBuffer[i].pos.x, 130, 32);
            EXPECT_NEAR(list->VtxBuffer[i].pos.y, 115, 17);
        }
    });
}

TEST(Fitted, CutsWholeLettersUntilTheWordsFit) {
    const Theme theme;
    const SvgCanvas canvas({0, 0, 100, 100}, theme);
    const std::string words = "Vergrößerungsgläser";
    EXPECT_EQ(fitted(canvas, words, Font::body, 1000), words);
    const std::string cut = fitted(canvas, words, Font::body, 70);
    EXPECT_LE(canvas.measure(cut, Font::body).x, 70);
    EXPECT_TRUE(cut.ends_with("…"));
    EXPECT_TRUE(words.starts_with(cut.substr(0, cut.size() - std::string("…").size())));
    EXPECT_EQ(fitted(canvas, words, Font::body, 0), "…");
}

TEST(WindowCanvas, DrawsWithoutAnyOpenGl) {
    WidgetFrame frame;
    const std::vector<float> values(4, 0.5F);
    frame.draw([&] {
        WindowCanvas canvas(ImGui::GetWindowDrawList(), frame.ui);
        canvas.heat_map({0, 0, 10, 10}, {values.data(), 2, 2, {}});
        canvas.picture({0, 0, 10, 10}, {});
        canvas.text({5, 5}, "x", {Font::body, {}, Align::centre});
    });
    EXPECT_EQ(frame.textures.size(), 0U);
}

TEST(WindowCanvas, NotesOnceWhatIsCutTwiceInTheRightHalf) {
    WidgetFrame frame;
    const std::string words = "more than fits";
    frame.draw([&] {
        const Probe::Below below(frame.ui.probe, "beside.");
        const WindowCanvas canvas(ImGui::GetWindowDrawList(), frame.ui);
        for (int i = 0; i < 2; ++i) fitted(canvas, words, Font::body, 20);
    });
    EXPECT_NE(frame.probe.find("beside.cut." + words), nullptr);
    EXPECT_TRUE(frame.probe.duplicates().empty());
}

}  // namespace
}  // namespace vitrine
