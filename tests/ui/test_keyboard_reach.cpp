#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "app/chapters/step.h"
#include "tests/ui/keyboard_reach.h"
#include "tests/ui/presenter_screen.h"
#include "tests/ui/walks.h"

// The keyboard comes wherever the mouse can press, on every screen.

namespace vitrine {
namespace {

TEST(KeyboardReach, IsThatOfTheMouseInEveryStep) {
    Harness h;
    for (const Step& step : curriculum()) {
        h.change().focus().step = step_index(step.id);
        h.settle();
        h.frame(100);
        expect_all_reached(h, std::string(step.id));
    }
}

TEST(KeyboardReach, IsThatOfTheMouseInEveryDialog) { walk_dialogs(expect_all_reached); }

TEST(KeyboardReach, IsThatOfTheMouseInTheLessonEditor) { walk_lesson_editor(expect_all_reached); }

TEST(KeyboardReach, IsThatOfTheMouseInThePresentersWindow) {
    Harness h(Harness::with_image("cat"), walked_size);
    begin_lesson(h, "tour");
    PresenterScreen screen(h);
    std::vector<Rect> focused;
    for (int i = 0; i < 40; ++i) {
        screen.press(Key::tab);
        if (screen.shows("focus")) focused.push_back(screen.item("focus").rect);
    }
    const auto items = screen.presenter.probe().items();
    int pressed = 0;
    for (const auto& [id, item] : items) {
        const Point at = item.rect.centre();
        screen.input.move(at.x, at.y);
        screen.frame(2);
        bool can_press = false;
        screen.within([&] { can_press = ImGui::GetCurrentContext()->HoveredId != 0; });
        if (!item.visible || !can_press) continue;
        ++pressed;
        EXPECT_TRUE(std::ranges::any_of(focused, [at](const Rect& ring) { return ring.contains(at); })) << id;
    }
    EXPECT_GE(pressed, 5);
}

class KeyboardReachOfTexts : public testing::TestWithParam<TextSubject> {};

TEST_P(KeyboardReachOfTexts, IsThatOfTheMouseInEveryChapter) { walk_text_chapters(GetParam(), expect_all_reached); }

TEST_P(KeyboardReachOfTexts, IsThatOfTheMouseInEveryInstrument) {
    walk_text_instruments(GetParam(), expect_all_reached);
}

INSTANTIATE_TEST_SUITE_P(All, KeyboardReachOfTexts, testing::ValuesIn(text_subjects));

TEST(KeyboardReach, IsThatOfTheMouseInEveryInstrument) { walk_instruments(expect_all_reached); }

TEST(KeyboardReach, IsThatOfTheMouseForTypedWords) { walk_words(expect_all_reached); }

/// The keyboard is in one run; a key goes to the other one.
TEST(KeyboardReach, IsThatOfTheMouseInEveryInstrumentOfTwoRuns) {
    walk_instruments_of_two_runs([](Harness& h, const std::string& where) {
        const std::set<std::string> one = unreached(h);
        h.carry_out(command::Do{"beside.other"});
        h.settle();
        for (const std::string& id : unreached(h))
            EXPECT_FALSE(one.contains(id)) << where << ": the mouse can press " << id << ", the keyboard cannot";
        h.carry_out(command::Do{"beside.other"});
        h.settle();
    });
}

TEST(KeyboardReach, IsThatOfTheMouseInTrainingOfPictures) { walk_training(false, expect_all_reached); }

TEST(KeyboardReach, IsThatOfTheMouseInTrainingOfTexts) { walk_training(true, expect_all_reached); }

TEST(KeyboardReach, IsThatOfTheMouseInEveryExercise) { walk_exercises(expect_all_reached); }

}  // namespace
}  // namespace vitrine
