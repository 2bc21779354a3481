#include <gtest/gtest.h>

#include <string>

#include "tests/ui/contrast.h"
#include "tests/ui/walks.h"

// Contrast of the rooms' screens with all their variants, in both themes.

namespace vitrine {
namespace {

/// Measures every screen of a walk in both themes.
class Walked {
public:
    const Look look = [this](Harness& h, const std::string& where) {
        for (const ThemeKind kind : both_themes) {
            turn_to(h, kind);
            contrasts_.look_at(h, where);
        }
    };
    ~Walked() { contrasts_.expect_none(100, 5); }

private:
    Contrasts contrasts_;
};

class ContrastOfTexts : public testing::TestWithParam<TextSubject> {};

TEST_P(ContrastOfTexts, IsEnoughInAllChaptersWithTheirChoices) { walk_text_chapters(GetParam(), Walked().look); }

TEST_P(ContrastOfTexts, IsEnoughInAllInstruments) { walk_text_instruments(GetParam(), Walked().look); }

INSTANTIATE_TEST_SUITE_P(All, ContrastOfTexts, testing::ValuesIn(text_subjects));

TEST(ContrastOfInstruments, IsEnoughWithAllTheirChoices) { walk_instruments(Walked().look); }

TEST(ContrastOfInstruments, IsEnoughForTypedWords) { walk_words(Walked().look); }

TEST(ContrastOfInstruments, IsEnoughOfTwoRuns) { walk_instruments_of_two_runs(Walked().look); }

TEST(ContrastOfTraining, IsEnoughForPictures) { walk_training(false, Walked().look); }

TEST(ContrastOfTraining, IsEnoughForTexts) { walk_training(true, Walked().look); }

TEST(ContrastOfExercises, IsEnoughBeforeAndAfterTheRepair) { walk_exercises(Walked().look); }

TEST(ContrastOfDialogs, IsEnoughInAllOfThem) { walk_dialogs(Walked().look); }

TEST(ContrastOfDialogs, IsEnoughInTheLessonEditor) { walk_lesson_editor(Walked().look); }

}  // namespace
}  // namespace vitrine
