#include <gtest/gtest.h>
#include <imgui.h>

#include <set>

#include "app/chapters/step.h"
#include "app/ui/keyboard_focus.h"
#include "app/ui/theme.h"
#include "tests/ui/keyboard_reach.h"

namespace vitrine {
namespace {

TEST(KeyboardFocus, TabComesToEveryControlOfEveryStepAndBackToTheFirst) {
    Harness h;
    for (int step = 0; step < static_cast<int>(curriculum().size()); ++step) {
        h.change().focus().step = step;
        h.settle();
        const std::size_t count = h.app->keyboard_focus().order().size();
        ASSERT_GT(count, 20U);
        std::set<std::string> visited;
        for (std::size_t i = 0; i < count; ++i) {
            h.strike(Key::tab);
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
    const ThemeKind before = h.app->state().settings.theme;
    h.press(Key::space);
    EXPECT_NE(h.app->state().settings.theme, before) << "Space presses, too";
    h.strike(Key::tab);
    h.strike(Key::tab, Key::shift);
    EXPECT_EQ(h.app->keyboard_focus().focused(), "top.theme");
}

TEST(KeyboardFocus, SwitchesOffAHeadWithoutTheMouse) {
    Harness h;
    h.change().focus().step = step_index("attention");
    h.settle();
    ASSERT_TRUE(tab_to(h, "attention.head.2.switch"));
    h.press(Key::enter);
    EXPECT_TRUE(contains(h.what_ifs(), remove_head(1, 2)));
}

TEST(KeyboardFocus, AMousePressHidesTheRingAndEscapeDoesToo) {
    Harness h;
    h.strike(Key::tab);
    EXPECT_TRUE(h.shows("focus"));
    h.tap("stage");
    EXPECT_FALSE(h.shows("focus"));
    h.strike(Key::tab);
    EXPECT_TRUE(h.shows("focus"));
    h.press(Key::escape);
    EXPECT_FALSE(h.shows("focus"));
}

TEST(KeyboardFocus, WalksOverAPatchGridWithTheArrowsAndChoosesWithEnter) {
    Harness h;
    h.change().focus().step = step_index("attention");
    h.settle();
    ASSERT_TRUE(tab_to(h, "attention.map.1"));
    h.press(Key::right);
    h.press(Key::right);
    h.press(Key::down);
    EXPECT_EQ(h.app->workspace().selection.hovered_token(), 1 + 8 + 2) << "the readout follows the cursor";
    EXPECT_EQ(curriculum()[static_cast<std::size_t>(h.focus().step)].id, "attention")
        << "the arrows belong to the grid";
    h.press(Key::enter);
    EXPECT_EQ(h.focus().token, 11);
    EXPECT_EQ(h.focus().head, 1) << "Enter is a click: it chooses the map's head, too";
}

TEST(KeyboardFocus, MovesASlider) {
    Harness h;
    h.change().focus().step = step_index("dropout");
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
    EXPECT_TRUE(first.contains("top.start"));
    EXPECT_TRUE(first.contains("map.image"));
}

TEST(KeyboardFocus, IsAlwaysInSightAlsoInSmallWindows) {
    for (const char* const step : {"image", "attention", "prediction"}) {
        Harness h(Harness::with_image("cat"), {1280, 720});
        h.change().focus().step = step_index(step);
        h.settle();
        const std::size_t count = h.app->keyboard_focus().order().size();
        for (std::size_t i = 0; i < count; ++i) {
            h.strike(Key::tab);
            EXPECT_TRUE(h.item("focus").visible) << h.app->keyboard_focus().focused() << " is scrolled away";
        }
    }
}

TEST(KeyboardFocus, SkipsWhatIsDisabled) {
    Harness h;
    EXPECT_TRUE(h.shows("top.undo"));
    EXPECT_FALSE(in_order(h, "top.undo")) << "there is nothing to undo";
    h.tap("map.mlp.switch");
    EXPECT_TRUE(in_order(h, "top.undo"));
}

TEST(KeyboardFocus, FallsToTheNextControlWhenItsOwnIsGone) {
    Harness h;
    ASSERT_TRUE(tab_to(h, "section.numbers"));
    h.strike(Key::tab);
    const std::string gone = h.app->keyboard_focus().focused();
    ASSERT_EQ(gone.rfind("fact.", 0), 0U);
    h.change()->settings.folded.insert("numbers");
    h.settle();
    EXPECT_FALSE(in_order(h, gone));
    EXPECT_TRUE(in_order(h, h.app->keyboard_focus().focused()));
    EXPECT_TRUE(h.shows("focus"));
}

TEST(KeyboardFocus, ShowsTheTooltipOfItsControlBesideItAfterTheSameMoment) {
    Harness h;
    h.hover("map.block.4");
    ASSERT_TRUE(tab_to(h, "top.theme"));
    EXPECT_FALSE(h.shows("tooltip"));
    h.frame(40);
    ASSERT_TRUE(h.shows("tooltip"));
    EXPECT_EQ(h.item("tooltip").text, h.app->text()("top.light"));
    const Rect tip = h.item("tooltip").rect, control = h.item("top.theme").rect;
    EXPECT_GE(tip.y0, control.y1);
    EXPECT_LT(tip.y0 - control.y1, 40);
    EXPECT_LE(tip.x1, 1920);
    h.hover("map.block.2");
    EXPECT_FALSE(h.shows("tooltip")) << "the mouse has moved and points now";
}

TEST(KeyboardFocus, ShowsAllDigitsOfAFact) {
    Harness h;
    ASSERT_TRUE(tab_to(h, "section.numbers"));
    h.strike(Key::tab);
    h.frame(40);
    ASSERT_TRUE(h.shows("tooltip"));
    EXPECT_FALSE(h.item("tooltip").text.empty());
}

TEST(KeyboardFocus, TellsTheCellOfItsCursorBesideIt) {
    Harness h;
    h.change().focus().step = step_index("attention");
    h.settle();
    ASSERT_TRUE(tab_to(h, "attention.map.1"));
    h.press(Key::right);
    h.press(Key::down);
    const Rect cell = h.item("attention.map.1.cell.10").rect, told = h.item("readout").rect;
    EXPECT_LT(std::abs(told.y0 - cell.y1), 40);
    EXPECT_LT(std::min(std::abs(told.x0 - cell.x0), std::abs(told.x1 - cell.x1)), 10) << "where it covers fewer words";
}

TEST(KeyboardFocus, XSwitchesThePatchOfTheCursorOffAndOn) {
    Harness h;
    h.change().focus().step = step_index("attention");
    h.settle();
    ASSERT_TRUE(tab_to(h, "attention.map.1"));
    h.press(Key::right);
    h.press(Key::x);
    EXPECT_EQ(h.what_ifs(), WhatIfs{remove_token(2)});
    h.press(Key::x);
    EXPECT_TRUE(h.what_ifs().empty());
    h.press(Key::escape);
    h.press(Key::x);
    EXPECT_EQ(h.what_ifs(), WhatIfs{remove_head(1, 0)}) << "without the ring X means the head, as always";
}

TEST(KeyboardFocus, ArrowsChooseAmongSegmentsAndTheOthersKeepTheirMeaning) {
    Harness h;
    h.change().focus().step = step_index("attention");
    h.settle();
    ASSERT_TRUE(tab_to(h, "scope.head"));
    h.press(Key::right);
    EXPECT_EQ(h.focus().scope, Scope::block);
    h.press(Key::right);
    EXPECT_EQ(h.focus().scope, Scope::model);
    EXPECT_EQ(h.app->keyboard_focus().focused(), "scope.model");
    h.press(Key::right);
    EXPECT_EQ(h.focus().scope, Scope::model) << "it is the last";
    h.press(Key::left);
    h.press(Key::left);
    EXPECT_EQ(h.focus().scope, Scope::head);
    h.press(Key::down);
    EXPECT_EQ(h.focus().block, 2);
    EXPECT_EQ(h.focus().step, step_index("attention"));
}

TEST(KeyboardFocus, ArrowsOnAButtonKeepTheirMeaning) {
    Harness h;
    ASSERT_TRUE(tab_to(h, "top.theme"));
    h.press(Key::right);
    EXPECT_EQ(h.focus().step, 1);
    h.press(Key::down);
    EXPECT_EQ(h.focus().block, 2);
}

TEST(KeyboardFocus, ShowsTheTipOfItsOwnControlAlone) {
    Harness h;
    h.app->ask(command::EnterRoom{"text"});
    h.settle();
    ASSERT_TRUE(tab_to(h, "text.next"));
    h.frame(60);
    ASSERT_TRUE(h.shows("tooltip"));
    EXPECT_EQ(h.item("tooltip").text, h.app->text()("time.next")) << "not those of the chapters drawn after it";
}

TEST(KeyboardFocus, WalksOverTilesThatAreNoPatchGrid) {
    Harness h;
    h.change().focus().step = step_index("position_embedding");
    h.settle();
    ASSERT_TRUE(tab_to(h, "position.tiles"));
    h.press(Key::down);
    h.press(Key::right);
    EXPECT_EQ(h.app->workspace().selection.hovered_token(), 1 + 8 + 1);
    h.press(Key::enter);
    EXPECT_EQ(h.focus().token, 10);
}

TEST(KeyboardFocus, TheMouseTakesOverAsSoonAsItMoves) {
    Harness h;
    h.change().focus().step = step_index("attention");
    h.settle();
    ASSERT_TRUE(tab_to(h, "attention.map.1"));
    h.hover("attention.map.2.cell.29");
    EXPECT_EQ(h.app->workspace().selection.hovered_token(), 29);
    EXPECT_EQ(h.app->workspace().selection.hovered_head(), 2);
    h.press(Key::right);
    EXPECT_EQ(h.app->workspace().selection.hovered_token(), 2);
    EXPECT_EQ(h.app->workspace().selection.hovered_head(), 1);
}

TEST(KeyboardFocus, BeginsAnewInADialogThatIsOpenedAgain) {
    Harness h;
    h.press(Key::k, Key::ctrl);
    ASSERT_TRUE(tab_to(h, "find.row.3"));
    h.press(Key::escape);
    ASSERT_FALSE(h.shows("dialog"));
    h.press(Key::k, Key::ctrl);
    h.type("rocket");
    h.press(Key::enter);
    EXPECT_EQ(h.item("top.image").text, "rocket") << "Enter means the first that matches";
}

TEST(KeyboardFocus, TheFieldOfTheFinderIsAPlaceToo) {
    Harness h;
    h.press(Key::k, Key::ctrl);
    ASSERT_TRUE(tab_to(h, "find.input"));
    h.type("rocket");
    h.press(Key::enter);
    EXPECT_EQ(h.item("top.image").text, "rocket");
}

TEST(KeyboardFocus, GoesIntoATextFieldAndOutAgain) {
    Harness h;
    h.press(Key::l);
    h.press(Key::n);
    ASSERT_TRUE(tab_to(h, "notes.edit"));
    h.press(Key::enter);
    ASSERT_TRUE(tab_to(h, "notes.text"));
    h.type("slowly");
    EXPECT_NE(h.item("notes.text").text.find("slowly"), std::string::npos);
    h.press(Key::tab, Key::shift);
    EXPECT_EQ(h.app->keyboard_focus().focused(), "notes.edit");
    EXPECT_FALSE(ImGui::GetIO().WantTextInput);
}

TEST(KeyboardFocus, ShiftF6GoesBackThroughTheZones) {
    Harness h;
    h.press(Key::f6);
    const std::string first = h.app->keyboard_focus().focused();
    h.press(Key::f6);
    EXPECT_NE(h.app->keyboard_focus().focused(), first);
    h.press(Key::f6, Key::shift);
    EXPECT_EQ(h.app->keyboard_focus().focused(), first);
}

TEST(KeyboardFocus, ItsRingStandsOutInBothThemesAndImGuiHasNoneOfItsOwn) {
    for (const ThemeKind kind : {ThemeKind::dark, ThemeKind::light}) {
        const Palette& p = palette_of(kind);
        for (const Color ground : {p.panel, p.background, p.raised}) EXPECT_GE(contrast(p.accent, ground), 3.0);
    }
    const Harness h;
    EXPECT_EQ(ImGui::GetIO().ConfigFlags & ImGuiConfigFlags_NavEnableKeyboard, 0);
}

}  // namespace
}  // namespace vitrine
