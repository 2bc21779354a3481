#include <gtest/gtest.h>

#include <string>

#include "app/chapters/step.h"
#include "app/lecture/lecture.h"
#include "tests/test_folder.h"
#include "tests/ui/harness.h"

// The pointer of a lecture: pen, laser, spotlight, and numbers that it writes out.

namespace vitrine {
namespace {

TEST(Lecture, PenDrawsEraserTakesAwayAndDeleteClears) {
    Harness h;
    begin_lecture(h);
    h.press(Key::p);
    const auto drag = [&](float x0, float x1, float y) {
        h.input.move(x0, y);
        h.frame(2);
        h.input.button(0, true);
        h.frame(2);
        for (int i = 1; i <= 10; ++i) {
            h.input.move(x0 + (x1 - x0) * static_cast<float>(i) / 10, y);
            h.frame();
        }
        h.input.button(0, false);
        h.frame(3);
    };
    drag(400, 900, 500);
    EXPECT_EQ(h.item("lecture.ink").value, 1);
    EXPECT_EQ(h.focus().token, 0) << "the pen does not click what lies below";
    h.press(Key::e);
    drag(640, 660, 500);
    EXPECT_EQ(h.item("lecture.ink").value, 2) << "the line is cut in two";
    h.press(Key::remove);
    EXPECT_EQ(h.item("lecture.ink").value, 0);
    h.press(Key::escape);
    EXPECT_TRUE(h.app->state().lecture.on) << "Escape first puts the tool away";
}

TEST(Lecture, HasALaserASpotlightAndABlackScreen) {
    Harness h;
    begin_lecture(h);
    h.input.move(500, 500);
    h.frame(2);
    h.press(Key::d);
    EXPECT_EQ(h.item("lecture.pointer").value, static_cast<int>(Pointer::laser));
    h.press(Key::f);
    EXPECT_EQ(h.item("lecture.pointer").value, static_cast<int>(Pointer::spotlight));
    h.press(Key::b);
    EXPECT_TRUE(h.shows("lecture.black"));
    h.press(Key::right);
    EXPECT_TRUE(h.shows("lecture.black"));
    h.press(Key::period);
    EXPECT_FALSE(h.shows("lecture.black"));
}

TEST(Lecture, PointingAtANumberWritesItOut) {
    Harness h;
    h.app->ask(command::OpenLesson{"tour"});
    h.settle();
    h.frame(40);
    ASSERT_EQ(h.focus().step, step_index("image"));
    EXPECT_FALSE(h.shows("readout"));
    h.hover("image.channel.0");
    ASSERT_TRUE(h.shows("readout"));
    EXPECT_NE(h.item("readout").text.find_first_of("0123456789"), std::string::npos);
}

TEST(Lecture, ANumberIsWrittenOutOnceInAWindowThatNoTestReads) {
    Harness h;
    h.app->ask(command::OpenLesson{"tour"});
    h.settle();
    h.frame(40);
    h.hover("image.channel.0");
    const auto height_of_tip = [] { return ImGui::FindWindowByName("##Tooltip_00")->Size.y; };
    const float told = height_of_tip();
    h.app->probe().on = false;
    h.frame(5);
    EXPECT_EQ(height_of_tip(), told);
}

TEST(Lecture, ACardThatThePointerReachesFromANumberWritesItsOwnNumbersAlone) {
    Harness h;
    h.app->ask(command::OpenLesson{"tour"});
    h.settle();
    h.frame(40);
    h.app->ask(command::SetWhatIfs{{remove_head(1, 0)}});
    h.settle();
    h.tap("lecture.changed");
    const Rect change = h.item("told.change").rect;
    h.hover("image.channel.0");
    ASSERT_TRUE(h.shows("readout"));
    h.input.move(change.centre().x, change.centre().y);
    h.frame(3);  // none of which has two items of one id
    EXPECT_NE(h.item("readout").text.find("→"), std::string::npos) << h.item("readout").text;
}

TEST(Lecture, AKeyTakesWhatIsSaidAtTheRestingPointerAwayUntilTheMouseMoves) {
    Harness h;
    h.app->ask(command::OpenLesson{"tour"});
    h.settle();
    h.frame(40);
    h.hover("image.channel.0");
    ASSERT_TRUE(h.shows("readout"));
    const Rect rect = h.item("image.channel.0").rect;
    h.press(Key::page_down);
    h.press(Key::page_up);
    h.frame(5);
    ASSERT_EQ(h.focus().step, step_index("image"));
    EXPECT_FALSE(h.shows("readout")) << "the slide is free";
    h.input.move(rect.centre().x + 3, rect.centre().y);
    h.frame(3);
    EXPECT_TRUE(h.shows("readout"));
}

}  // namespace
}  // namespace vitrine
