#include <gtest/gtest.h>

#include "app/ui/widgets/patch_grid.h"
#include "tests/widget_frame.h"

namespace vitrine {
namespace {

struct Clicks {
    WidgetFrame frame;
    PatchGrid grid = {.id = "grid", .size = {8, 8}};
    GridHit all;

    void draw() {
        WindowCanvas canvas(ImGui::GetWindowDrawList(), frame.ui);
        const GridHit hit = patch_grid(canvas, frame.ui, {100, 100, 420, 420}, grid);
        all.hovered = hit.hovered;
        if (hit.clicked) all.clicked = hit.clicked;
        if (hit.double_clicked) all.double_clicked = hit.double_clicked;
        if (hit.menu) all.menu = hit.menu;
        if (hit.switched) all.switched = hit.switched;
    }
};

TEST(PatchGrid, TellsWhichTokenIsPointedAtAndClicked) {
    for (const int edge : {2, 8, 32}) {
        for (const int token : {1, edge, edge * edge}) {
            Clicks c;
            c.grid.size = {edge, edge};
            c.frame.click("grid.cell." + std::to_string(token), [&] { c.draw(); });
            EXPECT_EQ(c.all.hovered, token) << edge;
            EXPECT_EQ(c.all.clicked, token) << edge;
            EXPECT_FALSE(c.all.menu);
        }
    }
}

TEST(PatchGrid, TheRightButtonAsksForThePatchsMenu) {
    Clicks c;
    c.frame.click(
        "grid.cell.14", [&] { c.draw(); }, 1);
    EXPECT_EQ(c.all.menu, 14);
    EXPECT_FALSE(c.all.switched);
    EXPECT_FALSE(c.all.clicked);
}

TEST(PatchGrid, CountsFromItsFirstTokenAndMarksEveryCell) {
    Clicks c;
    c.grid.first_token = 0;
    c.frame.draw([&] { c.draw(); });
    EXPECT_NE(c.frame.probe.find("grid.cell.0"), nullptr);
    EXPECT_NE(c.frame.probe.find("grid.cell.63"), nullptr);
    EXPECT_EQ(c.frame.probe.find("grid.cell.64"), nullptr);
    EXPECT_TRUE(c.frame.probe.duplicates().empty());
}

TEST(PatchGrid, HasNothingToOutlineForTheClassToken) {
    Clicks c;
    c.grid.query = 0;
    c.grid.hovered = 65;
    EXPECT_NO_FATAL_FAILURE(c.frame.draw([&] { c.draw(); }));
}

}  // namespace
}  // namespace vitrine
