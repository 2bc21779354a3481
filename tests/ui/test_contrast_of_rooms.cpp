#include <gtest/gtest.h>

#include "tests/ui/contrast.h"
#include "tests/ui/walks.h"

// Contrast of the rooms' screens with all their variants, in both themes.

namespace vitrine {
namespace {

class ContrastOfTexts : public testing::TestWithParam<TextSubject> {};

TEST_P(ContrastOfTexts, IsEnoughInAllChaptersWithTheirChoices) {
    walk_text_chapters(GetParam(), WalkedContrasts().visit);
}

TEST_P(ContrastOfTexts, IsEnoughInAllInstruments) { walk_text_instruments(GetParam(), WalkedContrasts().visit); }

INSTANTIATE_TEST_SUITE_P(All, ContrastOfTexts, testing::ValuesIn(text_subjects));

TEST(ContrastOfInstruments, IsEnoughWithAllTheirChoices) { walk_instruments(WalkedContrasts().visit); }

TEST(ContrastOfInstruments, IsEnoughForTypedWords) { walk_words(WalkedContrasts().visit); }

TEST(ContrastOfInstruments, IsEnoughOfTwoRuns) { walk_instruments_of_two_runs(WalkedContrasts().visit); }

TEST(ContrastOfTraining, IsEnoughForPictures) { walk_training(false, WalkedContrasts().visit); }

TEST(ContrastOfTraining, IsEnoughForTexts) { walk_training(true, WalkedContrasts().visit); }

TEST(ContrastOfExercises, IsEnoughBeforeAndAfterTheRepair) { walk_exercises(WalkedContrasts().visit); }

TEST(ContrastOfDialogs, IsEnoughInAllOfThem) { walk_dialogs(WalkedContrasts().visit); }

TEST(ContrastOfDialogs, IsEnoughInTheLessonEditor) { walk_lesson_editor(WalkedContrasts().visit); }

}  // namespace
}  // namespace vitrine
