#include <gtest/gtest.h>

#include <string>

#include "app/chapters/step.h"
#include "tests/ui/keyboard_reach.h"
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

class KeyboardReachOfTexts : public testing::TestWithParam<TextSubject> {};

TEST_P(KeyboardReachOfTexts, IsThatOfTheMouseInEveryChapter) { walk_text_chapters(GetParam(), expect_all_reached); }

TEST_P(KeyboardReachOfTexts, IsThatOfTheMouseInEveryInstrument) {
    walk_text_instruments(GetParam(), expect_all_reached);
}

INSTANTIATE_TEST_SUITE_P(All, KeyboardReachOfTexts, testing::ValuesIn(text_subjects));

TEST(KeyboardReach, IsThatOfTheMouseInEveryInstrument) { walk_instruments(expect_all_reached); }

TEST(KeyboardReach, IsThatOfTheMouseForTypedWords) { walk_words(expect_all_reached); }

TEST(KeyboardReach, IsThatOfTheMouseInEveryInstrumentOfTwoRuns) { walk_instruments_of_two_runs(expect_all_reached); }

TEST(KeyboardReach, IsThatOfTheMouseInTrainingOfPictures) { walk_training(false, expect_all_reached); }

TEST(KeyboardReach, IsThatOfTheMouseInTrainingOfTexts) { walk_training(true, expect_all_reached); }

TEST(KeyboardReach, IsThatOfTheMouseInEveryExercise) { walk_exercises(expect_all_reached); }

}  // namespace
}  // namespace vitrine
