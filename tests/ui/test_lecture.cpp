#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "app/lecture/lecture.h"
#include "app/rooms/explore/steps/step.h"
#include "app/rooms/room.h"
#include "app/ui/languages.h"
#include "app/ui/widgets/rich_text.h"
#include "tests/test_folder.h"
#include "tests/ui/harness.h"

namespace vitrine {
namespace {

namespace fs = std::filesystem;

void begin_lecture(Harness& h) {
    h.press(Key::l);
    h.frame(40);  // the zones slide away
}

TEST(Lecture, OneKeyTakesTheControlsAwayAndMakesTypeHalfAsLargeAgain) {
    Harness h;
    const float before = h.app->theme().scale;
    ASSERT_TRUE(h.shows("map.image"));
    begin_lecture(h);
    EXPECT_FALSE(h.shows("map.image"));
    EXPECT_FALSE(h.shows("section.equation"));
    EXPECT_TRUE(h.shows("stage"));
    EXPECT_GE(h.app->theme().scale, 1.5F * before - 0.01F);
    h.press(Key::f5);
    h.frame(40);
    EXPECT_TRUE(h.shows("map.image"));
    EXPECT_NEAR(h.app->theme().scale, before, 1e-4F);
}

TEST(Lecture, SpaceFirstPlaysTheMotionThenGoesOnAndPageUpGoesBack) {
    Harness h;
    h.focus().step = step_index("patches");
    h.settle();
    h.frame(2);
    begin_lecture(h);
    h.app->workspace().motion = {0, false};
    h.press(Key::space);
    EXPECT_EQ(h.focus().step, step_index("patches")) << "first what happens here";
    h.press(Key::space);
    EXPECT_EQ(h.app->workspace().motion.time, 1) << "a second press ends the motion";
    h.press(Key::space);
    EXPECT_EQ(h.focus().step, step_index("patch_embedding"));
    EXPECT_TRUE(h.app->workspace().motion.waits) << "the picture first";
    h.press(Key::page_up);
    EXPECT_EQ(h.focus().step, step_index("patches"));
}

TEST(Lecture, GoingOnGoesOnAtOnceWhateverWaitsToBePlayed) {
    Harness h;
    go_to(h, "patches");
    begin_lecture(h);
    for (const Key key : {Key::right, Key::page_down}) {
        const int step = h.focus().step;
        ASSERT_TRUE(h.shows("lecture.play"));
        h.press(key);
        EXPECT_EQ(h.focus().step, step + 1);
    }
    const int step = h.focus().step;
    ASSERT_TRUE(h.app->workspace().motion.waits);
    h.tap("lecture.on");
    EXPECT_EQ(h.focus().step, step + 1) << "and so does the button";
}

TEST(Lecture, WhatWasPlayedHasAButtonThatPlaysItAgain) {
    Harness h;
    go_to(h, "patches");
    begin_lecture(h);
    EXPECT_FALSE(h.shows("lecture.again")) << "it waits to be played the first time";
    h.tap("lecture.play");
    h.frame(90);
    EXPECT_EQ(h.app->workspace().motion, (Motion{1, false, false}));
    h.tap("lecture.again");
    EXPECT_TRUE(h.app->workspace().motion.playing);
    EXPECT_EQ(h.focus().step, step_index("patches"));
    h.expect_readable("a motion under way in a lecture");
}

TEST(Lecture, ModelsThatAreToLearnHaveAButtonThatStartsThem) {
    Harness h;
    h.app->ask(command::OpenLesson{"normalisation"});
    h.settle();
    h.frame(40);
    const auto& stops = h.app->state().lecture.lesson->stops;
    const auto learn = std::find_if(stops.begin(), stops.end(), [](const auto& stop) { return stop.room == "learn"; });
    ASSERT_NE(learn, stops.end());
    while (h.app->state().lecture.stop < learn - stops.begin()) h.tap("lecture.on");
    h.frame(40);
    EXPECT_TRUE(h.item("lecture.play").text.starts_with(h.app->text()("learn.start") + "  (")) << "with its key";
    h.expect_readable("models that are to learn, in a lecture");
    h.tap("lecture.play");
    EXPECT_TRUE(h.app->house().jobs.learning().running());
    for (int i = 0; i < 2000 && h.shows("lecture.play"); ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        h.frame();
    }
    EXPECT_FALSE(h.shows("lecture.play"));
}

TEST(Lecture, OnAFullScreenAButtonBringsTheQuestionThenItsAnswerThenThePicture) {
    for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1920, 1080}}) {
        Harness h(Harness::with_image("cat"), size);
        h.app->ask(command::OpenLesson{"tour"});
        h.app->state().full_screen = true;
        h.settle();
        h.frame(40);
        ASSERT_FALSE(h.shows("reading")) << "where the question stands in a window";
        EXPECT_NE(h.item("lecture.ask").text.find("(A)"), std::string::npos) << h.item("lecture.ask").text;
        h.tap("lecture.ask");
        EXPECT_TRUE(h.shows("lecture.question"));
        EXPECT_FALSE(h.shows("lecture.answer"));
        EXPECT_NE(h.item("lecture.ask").text.find(h.app->text()("presenter.answer")), std::string::npos);
        h.tap("lecture.ask");
        EXPECT_TRUE(h.shows("lecture.answer"));
        h.tap("lecture.ask");
        EXPECT_FALSE(h.shows("lecture.question"));
        for (const std::string& language : language_codes()) {
            h.app->state().settings.language = language;
            h.frame(5);
            h.expect_readable(language + " at " + std::to_string(size.x));
        }
    }
}

TEST(Lecture, EveryChapterWithPositionsHasItsEquationBesideTheTitle) {
    for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1920, 1080}}) {
        Harness h(Harness::with_image("cat"), size);
        go_to(h, "position_embedding");
        begin_lecture(h);
        EXPECT_TRUE(h.shows("equation")) << size.x;
        EXPECT_LT(h.item("equation").rect.y1, h.item("stage").rect.centre().y);
        h.expect_readable("position embedding in a lecture");
    }
}

TEST(Lecture, NotesStandBesideThePictureAndSayWhichTimeIsWhich) {
    for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1920, 1080}})
        for (const std::string& language : language_codes()) {
            Harness h(Harness::with_image("cat"), size);
            h.app->state().settings.language = language;
            begin_lecture(h);
            h.press(Key::n);
            const Rect clock = h.item("lecture.clock").rect, edit = h.item("notes.edit").rect;
            EXPECT_LE(h.app->rect_of("stage").x1, clock.x0) << "the figure is not covered";
            EXPECT_GE(edit.y0, clock.y1) << "each on its own line";
            EXPECT_FALSE(clock.overlaps(edit));
            EXPECT_GT(h.item("lecture.clock").text.find_first_of("0123456789"), 2U) << "words before the time";
            EXPECT_LT(edit.x1, size.x);
            h.expect_readable("notes in " + language);
        }
}

TEST(Lecture, WhereAStopAsksNothingThereIsNoButtonForIt) {
    const TestFolder folder;
    const fs::path file = folder / "silent.txt";
    std::ofstream(file) << "lesson: Silent\nstep: mlp\nquestion:\nstep: scores\n";
    Harness h;
    h.app->open({file});
    h.settle();
    h.frame(40);
    EXPECT_FALSE(h.shows("lecture.ask"));
    h.tap("lecture.on");
    EXPECT_TRUE(h.shows("lecture.ask"));
}

TEST(Lecture, InAWindowItOffersTheWholeScreenWithItsKey) {
    Harness h;
    begin_lecture(h);
    EXPECT_NE(h.item("lecture.full_screen").text.find("F11"), std::string::npos);
    h.tap("lecture.full_screen");
    EXPECT_TRUE(h.app->take_full_screen_request());
    h.app->state().full_screen = true;
    h.frame(3);
    EXPECT_FALSE(h.shows("lecture.full_screen"));
}

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

TEST(Lecture, NotesAndClockStandInACornerAndOwnNotesAreRemembered) {
    Harness h;
    begin_lecture(h);
    EXPECT_FALSE(h.shows("lecture.notes"));
    h.press(Key::n);
    EXPECT_TRUE(h.shows("lecture.clock"));
    EXPECT_EQ(h.item("notes").text, h.app->text()("step.image.notes"));
    h.tap("notes.edit");
    h.tap("notes.text");
    h.type("Hello ");
    h.tap("notes.edit");
    EXPECT_NE(h.item("notes").text.find("Hello "), std::string::npos);
    EXPECT_NE(h.app->state().settings.notes.at("image").find("Hello "), std::string::npos);
}

TEST(Lecture, AStepArrivesFinishedAndSpacePlaysItFromTheBeginning) {
    Harness h;
    h.focus().step = step_index("image");
    h.settle();
    begin_lecture(h);
    go_to(h, "image");
    h.app->ask(command::GoToChapter{"layer_norm"});
    h.frame(3);
    EXPECT_EQ(h.app->workspace().motion, (Motion{1, false, true})) << "finished and labelled";
    EXPECT_TRUE(h.shows("lecture.play")) << "and the hall's lecturer sees that there is something to play";
    h.input.key(glfw_number(Key::space), true);
    h.input.key(glfw_number(Key::space), false);
    h.frame(3);
    EXPECT_TRUE(h.app->workspace().motion.playing);
    EXPECT_LT(h.app->workspace().motion.time, 0.2F) << "from the beginning";
    EXPECT_FALSE(h.shows("lecture.play"));
    h.frame(90);
    EXPECT_EQ(h.app->workspace().motion, (Motion{1, false, false}));
    h.press(Key::space);
    EXPECT_EQ(h.focus().step, step_index("layer_norm") + 1);
}

TEST(Lecture, TheFirstStopWaitsToBePlayedToo) {
    Harness h;
    go_to(h, "patches");
    ASSERT_FALSE(h.app->workspace().motion.waits);
    begin_lecture(h);
    EXPECT_TRUE(h.app->workspace().motion.waits);
    h.press(Key::space);
    EXPECT_EQ(h.focus().step, step_index("patches"));
}

TEST(Lecture, MotionsPlayByThemselvesOnceWhereItIsSetSo) {
    Harness h;
    h.app->state().settings.plays = true;
    h.app->ask(command::GoToChapter{"residual"});
    h.frame(3);
    EXPECT_TRUE(h.app->workspace().motion.playing);
    EXPECT_LT(h.app->workspace().motion.time, 0.2F);
    h.frame(90);
    EXPECT_EQ(h.app->workspace().motion, (Motion{1, false, false}));
    h.frame(30);
    EXPECT_FALSE(h.app->workspace().motion.playing) << "once";
}

TEST(Lecture, AShowsTheQuestionAloneThenItsAnswerThenThePicture) {
    Harness h;
    go_to(h, "layer_norm");
    begin_lecture(h);
    h.press(Key::a);
    EXPECT_TRUE(h.shows("lecture.question"));
    EXPECT_FALSE(h.shows("lecture.answer")) << "the hall thinks first";
    EXPECT_GT(h.item("lecture.alone").rect.width() * h.item("lecture.alone").rect.height(), 0.85F * 1920 * 1080)
        << "nothing is beside it";
    EXPECT_EQ(h.item("lecture.question").text, without_markup(h.app->text()("step.layer_norm.question")));
    h.press(Key::a);
    EXPECT_TRUE(h.shows("lecture.question"));
    EXPECT_TRUE(h.shows("lecture.answer"));
    EXPECT_GE(h.item("lecture.answer").rect.y0, h.item("lecture.question").rect.y1);
    EXPECT_LE(h.item("lecture.answer").rect.y1, h.item("lecture.alone").rect.y1);
    h.press(Key::a);
    EXPECT_FALSE(h.shows("lecture.alone"));
    h.press(Key::a);
    h.press(Key::escape);
    EXPECT_FALSE(h.shows("lecture.alone"));
    EXPECT_TRUE(h.app->state().lecture.on) << "Escape takes the question away first";
    h.press(Key::a);
    h.press(Key::page_down);
    EXPECT_TRUE(h.shows("lecture.answer")) << "who goes on sees the answer first";
    h.press(Key::page_down);
    EXPECT_FALSE(h.shows("lecture.alone"));
    EXPECT_EQ(h.focus().step, step_index("layer_norm")) << "and then the picture";
}

TEST(Lecture, QShowsTheEquationAsLargeAsTheWindowAllows) {
    Harness h;
    for (const Step& step : curriculum()) {
        go_to(h, step.id);
        if (!h.app->state().lecture.on) begin_lecture(h);
        h.press(Key::q);
        const Rect all = h.item("lecture.alone").rect, equation = h.item("lecture.equation").rect;
        EXPECT_TRUE(equation.x0 >= all.x0 && equation.x1 <= all.x1 && equation.y0 >= all.y0 && equation.y1 <= all.y1)
            << step.id;
        const bool fills = equation.width() > 0.5F * all.width() || equation.height() > 0.5F * all.height();
        EXPECT_TRUE(fills || h.item("lecture.equation").value >= 5.9)
            << step.id << ": there is room for more: " << equation.width() << " × " << equation.height() << " at "
            << h.item("lecture.equation").value;
        h.expect_readable("the equation of " + std::string(step.id));
        h.press(Key::q);
    }
}

TEST(Lecture, SaysOnThePictureWhatIsSwitchedOff) {
    Harness h;
    h.app->ask(command::SetWhatIfs{{remove_head(2, 1), remove_positions()}});
    h.settle();
    const std::string head = h.item("removal.0").text;
    EXPECT_FALSE(h.shows("lecture.changed")) << "the panel says it";
    begin_lecture(h);
    EXPECT_EQ(h.item("lecture.changed").value, 2);
    EXPECT_NE(h.item("lecture.changed").text.find(head), std::string::npos);
    WhatIfs many;
    for (int block = 1; block <= 3; ++block)
        for (int head = 0; head < 3; ++head) many.push_back(remove_head(block, head));
    h.app->ask(command::SetWhatIfs{many});
    h.settle();
    EXPECT_LT(h.item("lecture.changed").rect.x1, h.item("lecture.progress").rect.x0) << "as many as there is room for";
    h.expect_readable("a lecture with much switched off");
    h.press(Key::l);
    EXPECT_FALSE(h.shows("lecture.changed"));
}

TEST(Lecture, TheMouseLeadsThroughItToo) {
    Harness h;
    go_to(h, "patches");
    begin_lecture(h);
    h.tap("lecture.on");
    EXPECT_EQ(h.focus().step, step_index("patch_embedding"));
    h.tap("lecture.back");
    EXPECT_EQ(h.focus().step, step_index("patches"));
    h.tap("lecture.leave");
    EXPECT_FALSE(h.app->state().lecture.on) << "the way out is in sight";
}

TEST(Lecture, TheKeysOfARemoteLeadThroughIt) {
    Harness h;
    go_to(h, "patch_embedding");
    h.press(Key::f5);
    h.frame(40);
    EXPECT_TRUE(h.app->state().lecture.on);
    h.press(Key::page_up);
    EXPECT_EQ(h.focus().step, step_index("patches"));
    h.press(Key::page_down);
    EXPECT_EQ(h.focus().step, step_index("patch_embedding"));
    for (const Key key : {Key::period, Key::b}) {
        h.press(key);
        EXPECT_TRUE(h.shows("lecture.black"));
        h.press(key);
        EXPECT_FALSE(h.shows("lecture.black"));
    }
    h.press(Key::escape);
    EXPECT_FALSE(h.app->state().lecture.on);
}

TEST(Lecture, NotesStayOffThePictureWhereThePresenterHasThemAndAtTheNextLecture) {
    Harness h;
    begin_lecture(h);
    h.press(Key::n);
    EXPECT_TRUE(h.shows("lecture.notes"));
    h.press(Key::w);
    EXPECT_TRUE(h.app->state().settings.presenter) << "remembered for the next lecture";
    EXPECT_FALSE(h.shows("lecture.notes"));
    h.press(Key::w);
    EXPECT_TRUE(h.shows("lecture.notes"));
    h.press(Key::l);
    begin_lecture(h);
    EXPECT_FALSE(h.shows("lecture.notes"));
}

TEST(Lessons, LeadThroughTheirStopsWithImagesRoomsAndThePartsThatMatter) {
    Harness h;
    h.press(Key::l, Key::shift);
    ASSERT_TRUE(h.shows("lesson.attention"));
    EXPECT_NE(h.item("lesson.attention").text.find("30"), std::string::npos) << "its minutes";
    h.tap("lesson.attention");
    h.frame(40);
    EXPECT_TRUE(h.app->state().lecture.on);
    EXPECT_EQ(h.focus().step, step_index("qkv"));
    EXPECT_EQ(h.app->state().settings.lesson, "attention") << "the choice is remembered";
    const DecisiveHead decisive = decisive_head(*h.result().model, h.result().baseline);
    EXPECT_EQ(h.focus().block, decisive.block);
    EXPECT_EQ(h.focus().head, decisive.head);
    h.press(Key::end);
    EXPECT_EQ(h.focus().step, step_index("explanation"));
    h.press(Key::home);
    const Lesson& lesson = *h.app->state().lecture.lesson;
    for (std::size_t i = 0; i + 1 < lesson.stops.size(); ++i) {
        h.press(Key::page_down);
        const LessonStop& stop = lesson.stops[i + 1];
        EXPECT_EQ(h.item("lecture.progress").value, static_cast<double>(i + 1));
        EXPECT_EQ(h.app->state().room, stop.room);
        EXPECT_EQ(h.what_ifs().size(), stop.what_ifs.size() + (stop.roles.without ? 1 : 0));
        if (stop.roles.without) {
            EXPECT_TRUE(contains(h.what_ifs(), remove_head(decisive.block, decisive.head)));
        }
    }
}

TEST(Lessons, WhoReadsOneAloneHasNotesQuestionAndAnswerBesideThePictureAndAHallHasNot) {
    for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1920, 1080}}) {
        Harness h({}, size);
        h.app->ask(command::OpenLesson{"tour"});
        h.settle();
        h.frame(40);
        ASSERT_TRUE(h.shows("reading"));
        EXPECT_FALSE(h.item("reading.notes").text.empty());
        EXPECT_LE(h.app->rect_of("stage").x1, h.item("reading").rect.x0) << "beside the picture";
        const int steps = static_cast<int>(h.app->state().lecture.lesson->stops.size());
        for (int i = 0; i < steps; ++i) {
            h.app->ask(command::Do{"lecture.next_stop"});
            h.settle();
            if (room_of(h.app->state().room).chapters) {
                EXPECT_TRUE(h.shows("reading.question")) << i;
                EXPECT_FALSE(h.shows("reading.answer_words")) << "first the question";
            }
        }
        h.app->ask(command::Do{"lecture.first"});
        h.settle();
        h.tap("reading.answer");
        EXPECT_FALSE(h.item("reading.answer_words").text.empty());
        for (const std::string& language : language_codes()) {
            h.app->state().settings.language = language;
            h.frame(5);
            h.expect_readable(language + " at " + std::to_string(size.x));
        }
        h.app->state().full_screen = true;
        h.frame(3);
        EXPECT_FALSE(h.shows("reading")) << "nothing of it is projected";
        h.app->state().full_screen = false;
        h.app->state().settings.presenter = true;
        h.frame(3);
        EXPECT_FALSE(h.shows("reading")) << "the presenter has it";
        h.app->state().settings.presenter = false;
        h.frame(3);
        const float narrow = h.app->rect_of("stage").x1;
        h.tap("reading.hide");
        EXPECT_FALSE(h.shows("reading"));
        EXPECT_GT(h.app->rect_of("stage").x1, narrow);
    }
}

TEST(Lessons, TheHeaviestKeyIsTheOneThatTheQueryLooksAtMost) {
    Harness h;
    h.app->ask(command::OpenLesson{"tour"});
    h.settle();
    const Lesson& lesson = *h.app->state().lecture.lesson;
    const auto heaviest =
        std::find_if(lesson.stops.begin(), lesson.stops.end(), [](const LessonStop& s) { return s.roles.key; });
    ASSERT_NE(heaviest, lesson.stops.end());
    while (h.app->state().lecture.stop < heaviest - lesson.stops.begin()) {
        h.app->workspace().motion = {1, false};
        h.press(Key::page_down);
    }
    const auto block = h.result().trace.block(h.focus().block);
    const std::span<const float> row = attention_row(*block, h.focus().head, h.focus().token);
    for (const float weight : row) EXPECT_LE(weight, row[static_cast<std::size_t>(h.focus().key)]);
}

TEST(Lessons, StopInEveryRoomWithNotesAndMinutesOfTheirOwn) {
    const TestFolder folder;
    const fs::path file = folder / "rooms.txt";
    std::ofstream(file) << "lesson: Rooms\nstep: mlp\nlab: ledger\nminutes: 1.5\nnotes: Sum it up.\n"
                           "exercise: bare_return\nminutes: 2\nnotes: Predict.\nlearn: plain\n";
    Harness h;
    h.app->open({file});
    h.settle();
    h.frame(40);
    h.press(Key::n);
    const std::string own = h.item("notes").text;
    EXPECT_FALSE(own.empty()) << "a chapter's own";
    EXPECT_FALSE(h.shows("lecture.planned"));
    h.app->workspace().motion = {1, false};
    h.press(Key::page_down);
    EXPECT_EQ(h.app->state().room, "laboratory");
    EXPECT_EQ(h.focus().lab.instrument, Instrument::ledger);
    EXPECT_EQ(h.item("notes").text, "Sum it up.");
    EXPECT_NE(h.item("lecture.planned").text.find("1.5"), std::string::npos);
    h.press(Key::page_down);
    EXPECT_EQ(h.app->state().room, "exercise");
    EXPECT_EQ(h.item("notes").text, "Predict.");
    EXPECT_NE(h.item("lecture.planned").text.find("3.5"), std::string::npos);
    EXPECT_TRUE(h.item("exercise.predict.1").visible) << "the audience chooses on the stage";
    h.tap("exercise.predict.1");
    EXPECT_TRUE(h.shows("exercise.broken"));
    h.press(Key::page_down);
    EXPECT_EQ(h.app->state().room, "learn");
    EXPECT_FALSE(h.app->house().jobs.learning().running());
    h.press(Key::space);
    EXPECT_TRUE(h.app->house().jobs.learning().running()) << "first they learn";
    h.press(Key::page_up);
    EXPECT_EQ(h.app->state().room, "exercise");
    EXPECT_TRUE(h.app->house().jobs.learning().running()) << "they go on while the lecturer does";
    h.press(Key::page_down);
    EXPECT_TRUE(h.app->house().jobs.learning().running()) << "and are found again";
    h.app->house().jobs.learning().pause();
}

TEST(Lessons, ADroppedFileIsOneAndABrokenOneIsToldByItsLine) {
    const TestFolder folder;
    const fs::path file = folder / "vitrine_lesson.txt";
    std::ofstream(file) << "lesson: Mine\nstep: mlp\nimage: house\n";
    Harness h;
    h.app->open({file});
    h.settle();
    h.frame(40);
    EXPECT_EQ(h.focus().step, step_index("mlp"));
    EXPECT_EQ(h.result().image->name, "house");
    std::ofstream(file) << "lesson: Mine\nstep: nose\n";
    h.app->open({file});
    h.frame(3);
    EXPECT_NE(h.app->error().find(":2: "), std::string::npos) << h.app->error();
}

TEST(Languages, AreSwitchedAtRunTimeAndKeepEverythingElse) {
    Harness h;
    h.focus().token = 20;
    h.frame(2);
    h.press(Key::g);
    h.tap("language.ja");
    h.press(Key::escape);
    EXPECT_EQ(h.item("map.patches").text, "パッチ");
    EXPECT_EQ(h.focus().token, 20);
    EXPECT_NE(h.app->text()("step.attention.words").find(" (query)"), std::string::npos);
    h.press(Key::g);
    h.tap("language.terms");
    EXPECT_EQ(h.app->text()("step.attention.words").find(" (query)"), std::string::npos);
    h.tap("language.ko");
    h.press(Key::escape);
    EXPECT_EQ(h.item("map.patches").text, "패치");
    EXPECT_EQ(h.item("top.0").text, "고양이");
}

TEST(Languages, LettersThatNoTableHoldsComeIntoTheFontsWhenTheyAreMet) {
    const TestFolder folder;
    const fs::path file = folder / "鯨と龍.png";
    fs::copy_file(fs::path(VITRINE_SOURCE) / "tests/ui/images/cat.png", file, fs::copy_options::overwrite_existing);
    Harness h;
    EXPECT_FALSE(has_glyph(ImGui::GetIO().FontDefault, 0x9F8D));
    h.app->open({file});
    h.settle();
    h.frame(3);
    EXPECT_TRUE(has_glyph(ImGui::GetIO().FontDefault, 0x9F8D)) << "龍";
}

}  // namespace
}  // namespace vitrine
