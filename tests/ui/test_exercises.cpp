#include "app/rooms/exercise/effect.h"
#include "app/ui/languages.h"
#include "app/ui/widgets/number.h"
#include "core/measures/analysis.h"
#include "core/vit/forward.h"
#include "tests/ui/drawn_words.h"
#include "tests/ui/harness.h"

namespace vitrine {
namespace {

Opening exercises(Exercise exercise = Exercise::key_is_query) {
    Opening opening = Harness::with_image("cat");
    opening.state.room = "exercise";
    opening.selection.focus.exercise = exercise;
    opening.selection.focus.block = 2;
    return opening;
}

Listing listing(Harness& h) { return listing_of(h.focus().exercise, h.result().model->config); }
ExerciseProgress progress(Harness& h) { return progress_in(h.app->state().settings, h.focus().exercise); }
std::string numbered(const std::string& id, int number) { return id + "." + std::to_string(number); }

/// Goes through an exercise by clicks, with the right answer everywhere.
void solve(Harness& h) {
    h.tap(numbered("exercise.predict", row_of(h.focus().exercise).prediction));
    h.tap(numbered("exercise.line", listing(h).wrong));
    h.tap(numbered("exercise.repair", listing(h).right));
}

TEST(ExerciseRoom, IsAKeyOrAClickAwayAndLeavesTheRunAlone) {
    Harness h;
    h.change()->what_ifs = {remove_head(1, 0)};
    h.settle();
    h.press(Key::f7);
    EXPECT_EQ(h.app->state().room, "exercise");
    h.change().focus().exercise = Exercise::key_is_query;
    h.frame(2);
    solve(h);
    EXPECT_EQ(h.what_ifs(), std::vector<Intervention>{remove_head(1, 0)});
    h.tap("top.mode.explore");
    EXPECT_FALSE(h.shows("exercise.code"));
    EXPECT_FALSE(h.app->workspace().exercise) << "nothing is kept of a run that nobody sees";
    h.tap("top.mode.exercise");
    EXPECT_TRUE(h.shows("exercise.code"));
}

TEST(ExerciseRoom, EveryExerciseGoesFromAPredictionToBothRuns) {
    Harness h(exercises());
    for (const Named<Exercise>& entry : exercise_names) {
        SCOPED_TRACE(entry.name);
        h.tap("exercise.choose." + std::string(entry.name));
        ASSERT_EQ(h.focus().exercise, entry.value);
        EXPECT_FALSE(h.shows("exercise.broken")) << "nothing runs before it is predicted";
        h.tap(numbered("exercise.predict", row_of(entry.value).prediction));
        EXPECT_TRUE(h.shows("exercise.broken"));
        EXPECT_TRUE(h.shows("exercise.why"));
        EXPECT_FALSE(h.shows("exercise.repaired"));
        h.tap(numbered("exercise.line", listing(h).wrong));
        EXPECT_EQ(h.item("exercise.find").value, 1);
        h.tap(numbered("exercise.repair", listing(h).right));
        EXPECT_TRUE(h.shows("exercise.repaired"));
        const Listing all = listing(h);
        EXPECT_EQ(h.item("exercise.code").text, all.repairs[static_cast<std::size_t>(all.right)]);
        EXPECT_TRUE(h.item("exercise.told").visible);
        EXPECT_EQ(h.app->error(), "");
    }
}

TEST(ExerciseRoom, TheNumbersAreThoseOfBothRuns) {
    Harness h(exercises());
    solve(h);
    const Result& with = *h.app->workspace().exercise->result;
    EXPECT_EQ(with.experiment.what_ifs, std::vector<Intervention>{key_is_query()});
    EXPECT_EQ(h.item("exercise.number.asymmetry").value, 0);
    EXPECT_EQ(h.item("exercise.number.asymmetry").text,
              number_text(static_cast<double>(asymmetry(*h.result().baseline.block(2), 0))));
    const int best = top_predictions(*h.result().baseline.head, 1).front().index;
    const Trace broken = what_if(*h.result().model, h.result().baseline, std::vector<Intervention>{key_is_query()});
    EXPECT_NEAR(h.item("exercise.number.probability").value,
                static_cast<double>(prediction_of(*broken.head, best).probability), 1e-6);
    EXPECT_EQ(h.item("exercise.number.probability").text,
              percent_text(static_cast<double>(prediction_of(*h.result().baseline.head, best).probability)));
}

TEST(ExerciseRoom, NamesOfNumbersAreTypesetNotWrittenAsMarkup) {
    for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1920, 1080}}) {
        Harness h(exercises(Exercise::root_of_width), size);
        solve(h);
        const std::string drawn = drawn_words(h, h.item("exercise.number.tokens_looked_at").rect);
        EXPECT_NE(drawn.find("effectivetokens,eH"), std::string::npos) << drawn;
    }
}

TEST(ExerciseRoom, AWrongPredictionLineOrRepairIsToldAndCanBeDoneBetter) {
    Harness h(exercises());
    const Listing all = listing(h);
    h.tap("exercise.predict.0");
    EXPECT_TRUE(h.shows("exercise.predict.0") && h.shows("exercise.predict.2")) << "the chosen one and the right one";
    EXPECT_FALSE(h.shows("exercise.predict.1"));
    h.tap("exercise.line.4");
    EXPECT_EQ(h.item("exercise.find").value, 0);
    EXPECT_EQ(h.item("exercise.find").text, h.app->text()("exercise.line_right"));
    h.tap(numbered("exercise.line", all.wrong));
    h.tap("exercise.repair.1");
    EXPECT_EQ(h.item("exercise.told").text, h.app->text()("exercise.key_is_query.repair.1"));
    EXPECT_FALSE(h.shows("exercise.repaired"));
    h.tap(numbered("exercise.repair", all.right));
    EXPECT_TRUE(h.shows("exercise.repaired"));
}

TEST(ExerciseRoom, LettersChooseArrowsWalkAndRBeginsAgain) {
    Harness h(exercises());
    h.press(Key::c);
    EXPECT_EQ(progress(h).predicted, 2);
    h.press(Key::a);
    EXPECT_EQ(progress(h).line, -1) << "lines have no letters";
    h.tap(numbered("exercise.line", listing(h).wrong));
    h.press(Key::b);
    EXPECT_EQ(progress(h).repair, 1);
    h.press(Key::a);
    EXPECT_EQ(progress(h).repair, 0);
    h.press(Key::right);
    EXPECT_EQ(h.focus().exercise, Exercise::value_is_query);
    EXPECT_EQ(progress(h), ExerciseProgress{});
    h.press(Key::left);
    h.press(Key::r);
    EXPECT_EQ(progress(h), ExerciseProgress{});
}

TEST(ExerciseRoom, ALineCanBeChosenByTheKeyboard) {
    Harness h(exercises());
    h.press(Key::c);
    const std::string wrong = numbered("exercise.line", listing(h).wrong);
    for (int i = 0; i < 60 && h.app->keyboard_focus().focused() != wrong; ++i) h.press(Key::tab);
    ASSERT_EQ(h.app->keyboard_focus().focused(), wrong);
    h.press(Key::enter);
    EXPECT_EQ(progress(h).line, listing(h).wrong);
}

TEST(ExerciseRoom, WhatWasChosenIsRemembered) {
    Harness h(exercises());
    solve(h);
    const std::optional<Settings> again = parse_settings(to_json(h.app->state().settings));
    ASSERT_TRUE(again);
    EXPECT_EQ(again->exercises, h.app->state().settings.exercises);
    EXPECT_EQ(again->exercises.at("key_is_query").repair, 0);
    for (const char* const broken :
         {R"({"exercises": {"key_is_query": [1]}})", R"({"exercises": {"key_is_query": ["a", 1, 2]}})"})
        EXPECT_FALSE(parse_settings(broken)) << broken;
    EXPECT_TRUE(parse_settings(R"({"exercises": {"no_such": [1, 2, 3]}})")->exercises.empty());
}

TEST(ExerciseRoom, TheChapterAndTheNextExerciseAreAClickAway) {
    Harness h(exercises());
    solve(h);
    h.tap("exercise.go_on");
    EXPECT_EQ(h.focus().exercise, Exercise::value_is_query);
    h.tap("exercise.chapter");
    EXPECT_EQ(h.app->state().room, "explore");
    EXPECT_EQ(curriculum()[static_cast<std::size_t>(h.focus().step)].id, "qkv");
}

TEST(ExerciseRoom, TheChapterOfATextStandsWhereAnInstrumentStood) {
    Harness h(exercises(Exercise::text_root));
    h.change().focus().text.lab.open = true;
    h.tap("exercise.chapter");
    EXPECT_EQ(h.app->state().room, "text");
    EXPECT_EQ(h.focus().text.chapter, row_of(Exercise::text_root).text->chapter);
    EXPECT_FALSE(h.focus().text.lab.open);
    EXPECT_TRUE(h.shows("text.chapter"));
}

TEST(ExerciseRoom, ATextThatNoShownExerciseRunsOnIsNotWaitedFor) {
    Harness h(exercises(Exercise::text_epsilon));
    const auto predict = [&] {
        h.change().focus().exercise = Exercise::text_epsilon;
        h.change()->settings.exercises["text_epsilon"].predicted = 0;
        h.settle();
        EXPECT_TRUE(h.app->workspace().text_exercise.result);
    };
    const auto left = [&](const char* how) {
        h.door().workspace().text_exercise.running = true;  // the run was not over when it was left
        h.settle();
        EXPECT_FALSE(h.app->workspace().text_exercise.running) << how << ": the window never rests";
        EXPECT_FALSE(h.app->workspace().text_exercise.result) << how;
        EXPECT_TRUE(h.shows("status.idle")) << how;
    };
    predict();
    h.change().focus().exercise = Exercise::doc_comment;
    left("another exercise");
    predict();
    h.change()->settings.exercises.erase("text_epsilon");
    left("from the beginning");
    predict();
}

TEST(ExerciseRoom, IsFoundByTyping) {
    Harness h;
    h.press(Key::k, Key::ctrl);
    h.type("whose keys");
    h.press(Key::enter);
    EXPECT_EQ(h.app->state().room, "exercise");
    EXPECT_EQ(h.focus().exercise, Exercise::key_is_query);
}

TEST(ExerciseRoom, IsKeptInASessionAndItsCommandLine) {
    Harness h(exercises(Exercise::softmax_axis));
    const Session session = h.app->session();
    EXPECT_EQ(parse_session(to_json(session), "s").focus.exercise, Exercise::softmax_axis);
    EXPECT_EQ(parse_session(to_json(session), "s").room, "exercise");
    EXPECT_NE(command_line_of(session, {}).find("--exercise softmax_axis"), std::string::npos);
}

TEST(ExerciseRoom, FollowsBlockHeadAndToken) {
    Harness h(exercises());
    solve(h);
    h.press(Key::up);
    h.press(Key::digit_2);
    EXPECT_EQ(h.focus().block, 1);
    EXPECT_EQ(h.item("exercise.number.asymmetry").text,
              number_text(static_cast<double>(asymmetry(*h.result().baseline.block(1), 1))));
}

TEST(ExerciseRoom, ARepairedCodeIsSmallerThanTheFigureOfItsResultAndWholeAtThePointer) {
    int folded = 0;
    for (const ImVec2 size : {ImVec2{1920, 1080}, ImVec2{1280, 720}}) {
        Harness h(exercises(), size);
        for (const Named<Exercise>& entry : exercise_names) {
            const Drawn drawn = row_of(entry.value).drawn;
            if (drawn == Drawn::printed || drawn == Drawn::words) continue;
            const std::string where = std::string(entry.name) + " at " + std::to_string(size.x);
            h.change().focus().exercise = entry.value;
            h.settle();
            solve(h);
            h.settle();
            const Probe::Item code = h.item("exercise.code");
            EXPECT_GT(h.item("exercise.repaired").rect.height(), code.rect.height()) << where;
            EXPECT_EQ(code.text, listing(h).repairs[static_cast<std::size_t>(listing(h).right)]) << where;
            h.expect_readable(where);
            if (!h.shows("exercise.folded")) continue;
            ++folded;
            h.hover("exercise.folded");
            EXPECT_GT(h.item("exercise.whole_code").value, code.value) << where;
            EXPECT_EQ(h.item("exercise.code").rect.height(), code.rect.height()) << "nothing moves: " << where;
            h.input.move(5, 5);
            h.frame(2);
            EXPECT_FALSE(h.shows("exercise.whole_code")) << where;
        }
    }
    EXPECT_GT(folded, 0);
}

TEST(ExerciseRoom, HasItsWordsInEveryLanguageAndNothingIsCut) {
    for (const std::string& language : language_codes())
        for (const ImVec2 size : {ImVec2{1920, 1080}, ImVec2{1280, 720}}) {
            Opening opening = exercises();
            opening.state.settings.language = language;
            Harness h(std::move(opening), size);
            for (const Named<Exercise>& entry : exercise_names) {
                h.change().focus().exercise = entry.value;
                h.frame(2);
                for (int stage = 0; stage < 3; ++stage) {
                    for (const auto& [id, item] : h.app->probe().items())
                        EXPECT_EQ(item.text.find("⟦"), std::string::npos) << id << ": " << item.text;
                    EXPECT_TRUE(h.item("exercise.code").visible);
                    choose(h.change()->settings.exercises[entry.name], listing(h),
                           stage == 0   ? 0
                           : stage == 1 ? listing(h).wrong
                                        : listing(h).right);
                    h.settle();
                }
                EXPECT_TRUE(h.item("exercise.broken").visible) << entry.name << " in " << language;
                EXPECT_TRUE(h.item("exercise.repaired").visible);
                const Rect left = h.item("exercise.broken").rect, right = h.item("exercise.repaired").rect;
                EXPECT_GT(left.height(), 40) << entry.name << " in " << language;
                EXPECT_LE(left.x1, right.x0) << entry.name;
            }
        }
}

/// In a low hall both matrices take the room that their number needs no more.
TEST(ExerciseRoom, MatricesGrowInALowHall) {
    Opening opening = exercises();
    opening.state.lecture.on = true;
    opening.state.lecture.slide = 1;
    Harness h(std::move(opening), {1280, 720});
    for (const int choice : {row_of(h.focus().exercise).prediction, listing(h).wrong, listing(h).right}) {
        choose(h.change()->settings.exercises["key_is_query"], listing(h), choice);
        h.settle();
    }
    const Rect left = h.item("exercise.broken").rect, right = h.item("exercise.repaired").rect;
    EXPECT_GT(left.height(), 235);
    EXPECT_NEAR(left.height(), right.height(), 1);
    for (const auto& [id, item] : h.app->probe().items())
        if (id.starts_with("exercise.number.")) {
            EXPECT_TRUE(item.visible) << id;
            EXPECT_FALSE(item.rect.overlaps(left)) << id;
            EXPECT_FALSE(item.rect.overlaps(right)) << id;
        }
}

/// In a low hall the code leaves no room for a picture before the repair: the numbers alone are shown, and nothing
/// scrolls sideways.
TEST(ExerciseRoom, ALowHallShowsNumbersAloneBeforeTheRepair) {
    Opening opening = exercises();
    opening.state.lecture.on = true;
    opening.state.lecture.slide = 1;
    opening.selection.focus.exercise = Exercise::softmax_axis;
    Harness h(std::move(opening), {1280, 720});
    choose(h.change()->settings.exercises["softmax_axis"], listing(h), row_of(h.focus().exercise).prediction);
    h.settle();
    EXPECT_FALSE(h.shows("exercise.broken"));
    int numbers = 0;
    for (const auto& [id, item] : h.app->probe().items())
        if (id.starts_with("exercise.number.")) {
            EXPECT_EQ(item.text, "?") << id;
            EXPECT_FALSE(item.rect.overlaps(h.item("exercise.code").rect)) << id;
            ++numbers;
        }
    EXPECT_GE(numbers, 1);
    for (const ImGuiWindow* const window : windows_with("zone.stage")) EXPECT_EQ(window->ScrollMax.x, 0);
    choose(h.change()->settings.exercises["softmax_axis"], listing(h), listing(h).wrong);
    choose(h.change()->settings.exercises["softmax_axis"], listing(h), listing(h).right);
    h.settle();
    EXPECT_GT(h.item("exercise.broken").rect.height(), 120) << "the result is drawn";
}

}  // namespace
}  // namespace vitrine
