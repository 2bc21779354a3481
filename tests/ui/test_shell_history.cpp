#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "app/rooms/explore/steps/step.h"
#include "app/shell/kept_sessions.h"
#include "app/workspace/focus_words.h"
#include "tests/test_folder.h"
#include "tests/ui/harness.h"

namespace vitrine {
namespace {

TEST(Shell, UndoGoesBackToAPinnedNumberInAnotherChapterAndRedoStays) {
    Harness h;
    h.focus().step = step_index("layer_norm");
    h.settle();
    h.press(Key::down);
    h.frame(80);
    const Cell pinned{Quantity::q, 2, 0, 3, 4};
    h.app->ask(command::Look{{{"cell", focus_words([&] {
                                           Focus f;
                                           f.cell = pinned;
                                           return f;
                                       }())
                                           .front()
                                           .second}}});
    h.settle();
    ASSERT_EQ(h.focus().cell, pinned);
    h.frame(80);
    h.press(Key::right);
    const int after = h.focus().step;
    EXPECT_FALSE(h.focus().cell) << "another chapter lets it go";
    h.frame(80);
    h.press(Key::z, Key::ctrl);
    EXPECT_EQ(h.focus().step, step_index("layer_norm"));
    EXPECT_EQ(h.focus().cell, pinned) << "exactly what was there";
    h.frame(80);
    EXPECT_TRUE(h.app->workspace().history.can_redo());
    h.press(Key::y, Key::ctrl);
    EXPECT_EQ(h.focus().step, after);
    EXPECT_FALSE(h.focus().cell);
}

TEST(Shell, AFailedOpenIsNoMomentOfTheHistory) {
    Harness h;
    h.tap("map.mlp.switch");
    h.app->open({"/nowhere/broken.jpg"});
    h.frame(2);
    h.settle();
    EXPECT_NE(h.app->error(), "");
    h.app->ask(command::OpenImage{{"mug", {}}});
    h.settle();
    EXPECT_EQ(h.app->error(), "") << "an error does not lie over what was opened after it";
    h.press(Key::z, Key::ctrl);
    EXPECT_EQ(h.item("top.image").text, "cat");
    EXPECT_EQ(h.what_ifs().size(), 1U);
    h.press(Key::z, Key::ctrl);
    EXPECT_TRUE(h.what_ifs().empty());
    EXPECT_EQ(h.app->error(), "") << "undo tries nothing again that failed";
    h.press(Key::y, Key::ctrl);
    h.press(Key::y, Key::ctrl);
    EXPECT_EQ(h.item("top.image").text, "mug");
}

TEST(Shell, UndoBeforeTheImageIsThereTakesBackTheOpeningAlone) {
    Harness h;
    h.tap("map.mlp.switch");
    h.app->ask(command::OpenImage{{"cat:3:hard:4096", {}}});
    h.frame(2);  // it is being drawn
    h.app->ask(command::Do{"undo"});
    h.frame(2);
    h.settle();
    EXPECT_EQ(h.item("top.image").text, "cat");
    EXPECT_EQ(h.what_ifs().size(), 1U) << "one step, not two";
}

TEST(Shell, UndoStaysInTheRoomWhereTheChangeWasMade) {
    Harness h;
    h.press(Key::f3);
    h.press(Key::right);
    h.frame(60);
    h.press(Key::z, Key::ctrl);
    EXPECT_EQ(h.app->state().room, "laboratory");
    EXPECT_EQ(h.focus().lab.instrument, Instrument::heads);
}

TEST(Shell, ASessionOfTheSamePictureCanBeUndone) {
    const TestFolder folder;
    Harness h;
    Session s = h.app->session();
    s.focus.block = 3;
    s.what_ifs = {"mlp:2"};
    save_session(s, folder / "a.vitrine");
    h.app->open({folder / "a.vitrine"});
    h.frame(2);
    h.settle();
    ASSERT_EQ(h.focus().block, 3);
    ASSERT_EQ(h.what_ifs().size(), 1U);
    h.press(Key::z, Key::ctrl);
    EXPECT_EQ(h.focus().block, 1);
    EXPECT_TRUE(h.what_ifs().empty());
}

TEST(Shell, ARecoveryThatFailsIsOfferedAgain) {
    const TestFolder folder;
    Harness h;
    std::ofstream(folder / "left.vitrine") << "no session";
    h.app->state().left = {kept_session(folder / "left.vitrine")};
    h.app->ask(command::Do{"recover"});
    h.frame(2);
    EXPECT_NE(h.app->error(), "");
    EXPECT_EQ(h.app->state().left.size(), 1U);
    EXPECT_TRUE(std::filesystem::exists(folder / "left.vitrine"));
}

}  // namespace
}  // namespace vitrine
