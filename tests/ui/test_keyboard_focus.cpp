#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "app/keyboard_focus.h"
#include "app/steps/step.h"
#include "tests/ui/harness.h"

namespace vitrine {
namespace {

bool in_order(Harness& h, const std::string& id) {
    const auto& order = h.app->keyboard_focus().order();
    return std::find(order.begin(), order.end(), id) != order.end();
}

/// Presses Tab until the focus is on a control; false where it never comes there.
bool tab_to(Harness& h, const std::string& id) {
    for (std::size_t i = 0; i <= h.app->keyboard_focus().order().size(); ++i) {
        if (h.app->keyboard_focus().visible() && h.app->keyboard_focus().focused() == id) return true;
        h.press(Key::tab);
    }
    return false;
}

TEST(KeyboardFocus, TabComesToEveryControlOfEveryStepAndBackToTheFirst) {
    Harness h;
    for (int step = 0; step < static_cast<int>(curriculum().size()); ++step) {
        h.focus().step = step;
        h.settle();
        const std::size_t count = h.app->keyboard_focus().order().size();
        ASSERT_GT(count, 20U);
        std::set<std::string> visited;
        for (std::size_t i = 0; i < count; ++i) {
            h.press(Key::tab);
            visited.insert(h.app->keyboard_focus().focused());
            ASSERT_TRUE(h.shows("focus")) << "no ring around " << h.app->keyboard_focus().focused();
            if (step > 0 && i > 12) break;  // one full round is enough
        }
        if (step > 0) continue;
        EXPECT_EQ(visited.size(), count);
        for (const char* const id :
             {"top.image", "top.model", "top.find", "top.theme", "top.help", "map.image", "map.mlp.switch",
              "map.block.2", "map.head.1", "section.equation", "tokens", "time.next"})
            EXPECT_TRUE(in_order(h, id)) << id << " cannot be reached";
    }
}

TEST(KeyboardFocus, EnterPressesWhatItIsOnAndShiftTabGoesBack) {
    Harness h;
    ASSERT_TRUE(tab_to(h, "map.patches"));
    h.press(Key::enter);
    EXPECT_EQ(curriculum()[static_cast<std::size_t>(h.focus().step)].id, "patches");
    ASSERT_TRUE(tab_to(h, "top.theme"));
    const ThemeKind before = h.app->state().chrome.settings.theme;
    h.press(Key::space);
    EXPECT_NE(h.app->state().chrome.settings.theme, before) << "Space presses, too";
    h.press(Key::tab);
    h.press(Key::tab, Key::shift);
    EXPECT_EQ(h.app->keyboard_focus().focused(), "top.theme");
}

TEST(KeyboardFocus, SwitchesOffAHeadWithoutTheMouse) {
    Harness h;
    h.focus().step = step_index("attention");
    h.settle();
    ASSERT_TRUE(tab_to(h, "attention.head.2.switch"));
    h.press(Key::enter);
    EXPECT_TRUE(contains(h.what_ifs(), remove_head(1, 2)));
}

TEST(KeyboardFocus, AMousePressHidesTheRingAndEscapeDoesToo) {
    Harness h;
    h.press(Key::tab);
    EXPECT_TRUE(h.shows("focus"));
    h.tap("stage");
    EXPECT_FALSE(h.shows("focus"));
    h.press(Key::tab);
    EXPECT_TRUE(h.shows("focus"));
    h.press(Key::escape);
    EXPECT_FALSE(h.shows("focus"));
}

TEST(KeyboardFocus, WalksOverAPatchGridWithTheArrowsAndChoosesWithEnter) {
    Harness h;
    h.focus().step = step_index("attention");
    h.settle();
    ASSERT_TRUE(tab_to(h, "attention.map.1"));
    h.press(Key::right);
    h.press(Key::right);
    h.press(Key::down);
    EXPECT_EQ(h.app->state().selection.hovered_token(), 1 + 8 + 2) << "the numbers follow the cursor";
    EXPECT_EQ(curriculum()[static_cast<std::size_t>(h.focus().step)].id, "attention")
        << "the arrows belong to the grid";
    h.press(Key::enter);
    EXPECT_EQ(h.focus().token, 11);
    EXPECT_EQ(h.focus().head, 1);
}

TEST(KeyboardFocus, MovesASlider) {
    Harness h;
    h.focus().step = step_index("dropout");
    h.settle();
    ASSERT_TRUE(tab_to(h, "dropout.p"));
    h.press(Key::right);
    h.press(Key::right);
    EXPECT_NEAR(h.focus().dials.dropout, 0.2F, 1e-4F);
    h.press(Key::left);
    EXPECT_NEAR(h.focus().dials.dropout, 0.15F, 1e-4F);
}

TEST(KeyboardFocus, StaysInsideADialogAndIsBackWhereItWasAfterIt) {
    Harness h;
    ASSERT_TRUE(tab_to(h, "map.block.3"));
    h.press(Key::g);
    EXPECT_TRUE(in_order(h, "language.ja"));
    EXPECT_FALSE(in_order(h, "map.block.3"));
    ASSERT_TRUE(tab_to(h, "dialog.close"));
    h.press(Key::enter);
    EXPECT_FALSE(h.shows("dialog"));
    EXPECT_EQ(h.app->keyboard_focus().focused(), "map.block.3");
}

TEST(KeyboardFocus, F6GoesFromZoneToZone) {
    Harness h;
    std::set<std::string> first;
    for (int i = 0; i < 5; ++i) {
        h.press(Key::f6);
        first.insert(h.app->keyboard_focus().focused());
    }
    EXPECT_GE(first.size(), 4U);
    EXPECT_TRUE(first.contains("top.image"));
    EXPECT_TRUE(first.contains("map.image"));
}

}  // namespace
}  // namespace vitrine
