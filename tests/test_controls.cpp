#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>

#include "app/ui/widgets/canvas.h"
#include "app/ui/widgets/controls.h"
#include "tests/widget_frame.h"

namespace vitrine {
namespace {

TEST(Button, IsPressedOnceByAClick) {
    WidgetFrame frame;
    int presses = 0;
    frame.click("open", [&] { presses += button(frame.ui, {"open", "Open…", "", ""}); });
    EXPECT_EQ(presses, 1);
}

TEST(Button, DoesNothingWhileDisabled) {
    WidgetFrame frame;
    int presses = 0;
    frame.click("open", [&] { presses += button(frame.ui, {"open", "Open…", "", "", false}); });
    EXPECT_EQ(presses, 0);
}

TEST(Button, IsLargeEnoughToHitAndReportsItsWords) {
    WidgetFrame frame;
    frame.draw([&] {
        icon_button(frame.ui, {"close", "", "", ""}, Icon::close);
        button(frame.ui, {"open", "Öffnen", "", ""});
    });
    for (const char* id : {"close", "open"}) {
        ASSERT_NE(frame.probe.find(id), nullptr) << id;
        EXPECT_GE(frame.probe.find(id)->rect.width(), 28) << id;
        EXPECT_GE(frame.probe.find(id)->rect.height(), 28) << id;
    }
    EXPECT_EQ(frame.probe.find("open")->text, "Öffnen");
}

TEST(Toggle, TurnsOverWithEveryClick) {
    WidgetFrame frame;
    bool on = false;
    const auto widgets = [&] { toggle(frame.ui, {"grid", "Grid", "", ""}, on); };
    frame.click("grid", widgets);
    EXPECT_TRUE(on);
    frame.click("grid", widgets);
    EXPECT_FALSE(on);
}

TEST(Toggle, WritesLongWordsInLettersOfTheSameSize) {
    WidgetFrame frame;
    bool on = false;
    const std::string words = "All heads: who looks at this token";
    float line = 0;
    frame.draw([&] {
        toggle(frame.ui, {"short", "Grid", "", ""}, on);
        toggle(frame.ui, {"long", words, "", ""}, on, 200);
        line = WindowCanvas(ImGui::GetWindowDrawList(), frame.ui).measure("", Font::body).y;
    });
    std::set<float> heights;
    for (const Probe::Words& drawn : frame.probe.words()) heights.insert(std::round(drawn.rect.height()));
    EXPECT_EQ(heights.size(), 1U);
    EXPECT_GT(frame.probe.find("long")->rect.height(), 2 * line - 1) << "two lines";
}

TEST(Segmented, ChoosesWhatIsClicked) {
    WidgetFrame frame;
    int chosen = 0, changes = 0;
    const Control choices[] = {{"head", "Head", "", ""}, {"block", "Block", "", ""}, {"model", "Model", "", ""}};
    const auto widgets = [&] { changes += segmented(frame.ui, choices, chosen); };
    frame.click("model", widgets);
    frame.click("model", widgets);
    EXPECT_EQ(chosen, 2);
    EXPECT_EQ(changes, 1);
}

TEST(Chip, ItsWordsChooseAndItsCrossSwitches) {
    WidgetFrame frame;
    ChipState state = {.color = {255, 0, 0}};
    int chosen = 0;
    const auto widgets = [&] {
        const ChipClick click = chip(frame.ui, {"head.2", "Head 2", "", ""}, state);
        chosen += click == ChipClick::chosen;
        if (click == ChipClick::switched) state.off = !state.off;
    };
    frame.click("head.2", widgets);
    EXPECT_EQ(chosen, 1);
    EXPECT_FALSE(state.off);
    frame.click("head.2.switch", widgets);
    EXPECT_TRUE(state.off);
    frame.draw(widgets);
    EXPECT_EQ(frame.probe.find("head.2")->value, 0);
    frame.click("head.2.switch", widgets);
    EXPECT_FALSE(state.off);
}

TEST(Slider, FollowsTheMouseAndStaysInItsRange) {
    WidgetFrame frame;
    float value = 0;
    const auto widgets = [&] { slider(frame.ui, {"opacity", "Opacity", "", ""}, {0.2F, 1.0F, {}}, value); };
    frame.click("opacity", widgets);
    EXPECT_NEAR(value, 0.6F, 0.01F);
}

TEST(Section, FoldsAndUnfolds) {
    WidgetFrame frame;
    bool open = true;
    frame.click("numbers", [&] { section(frame.ui, {"numbers", "Numbers", "", ""}, open); });
    EXPECT_FALSE(open);
}

TEST(Tooltip, ComesAfterAMomentAlsoOverWhatIsDisabled) {
    WidgetFrame frame;
    const auto widgets = [&] { button(frame.ui, {"open", "Open…", "Opens a picture", "O", false}); };
    frame.point_at("open", widgets);
    EXPECT_EQ(frame.probe.find("tooltip"), nullptr);
    for (int i = 0; i < 40; ++i) frame.draw(widgets);
    ASSERT_NE(frame.probe.find("tooltip"), nullptr);
    EXPECT_EQ(frame.probe.find("tooltip")->text, "Opens a picture");
}

TEST(Icon, EveryOneDrawsSomething) {
    WidgetFrame frame;
    for (int icon = 0; icon < static_cast<int>(Icon::count); ++icon) {
        frame.draw([&] {
            ImDrawList* list = ImGui::GetWindowDrawList();
            const int before = list->VtxBuffer.Size;
            WindowCanvas canvas(list, frame.ui);
            draw_icon(canvas, static_cast<Icon>(icon), {50, 50}, 20, {255, 255, 255});
            EXPECT_GT(list->VtxBuffer.Size, before) << icon;
        });
    }
}

}  // namespace
}  // namespace vitrine
