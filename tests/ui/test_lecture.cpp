#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "app/lecture/lecture.h"
#include "app/rooms/explore/steps/step.h"
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
    h.press(Key::page_down);
    EXPECT_EQ(h.app->workspace().motion.time, 1) << "a second press ends the motion";
    h.press(Key::page_down);
    EXPECT_EQ(h.focus().step, step_index("patch_embedding"));
    EXPECT_EQ(h.app->workspace().motion.time, 0) << "text first";
    h.press(Key::page_up);
    EXPECT_EQ(h.focus().step, step_index("patches"));
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
    EXPECT_TRUE(h.app->state().settings.show_notes);
}

TEST(Lecture, ShowsTheEquationAndTheQuestionOnCards) {
    Harness h;
    h.focus().step = step_index("layer_norm");
    h.settle();
    begin_lecture(h);
    h.press(Key::q);
    EXPECT_TRUE(h.shows("lecture.equation"));
    h.press(Key::a);
    EXPECT_TRUE(h.shows("lecture.question"));
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
        h.app->workspace().motion = {1, false};
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
    h.app->state().settings.show_notes = true;
    h.app->open({file});
    h.settle();
    h.frame(40);
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
