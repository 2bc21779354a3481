#include <filesystem>

#include "app/library/library.h"
#include "app/platform/embedded.h"
#include "app/rooms/room_parts.h"
#include "embedded/assets.h"
#include "tests/ui/own_lessons.h"

namespace vitrine {
namespace {

namespace fs = std::filesystem;

/// A dialog, drawn.
void show_dialog_of_lessons(Harness& h, const char* id) {
    h.app->ask(command::ShowDialog{id});
    h.frame(4);
}

TEST_F(OwnLessons, AStopTakesTheViewInTheWindowAndKeepsItsWords) {
    const std::string text =
        "lesson: One\n\n# mine\nstep: heads\nimage: house\nset: defaults\nwhat-if: head:1.0\nblock: 2\n# said\n"
        "title: Own\nnotes.ko: First\n  and on.\nquestion: Which?\nchoice: * this\nchoice: that\nanswer: This.\n"
        "minutes: 2\n\nstep: image\n";
    const fs::path file = written("one.txt", text);
    change("open", 0, file.string());
    go_to(h, "mlp");
    h.carry_out(command::Look{{{"token", "13"}}});
    h.settle();
    show_dialog_of_lessons(h, "lesson");
    const LessonStop old = lesson().stops[0];
    ASSERT_NE(h.item("lesson.stop.0").text.find(h.app->text()("lesson.changed", {{"parts", ""}})), std::string::npos);
    h.tap("lesson.view");
    h.settle();
    const LessonStop now = lesson().stops[0];
    EXPECT_EQ(now.id, "mlp") << h.app->error();
    EXPECT_EQ(now.token, 13);
    EXPECT_EQ(now.block, h.focus().block);
    EXPECT_NE(now.image->sample.find("cat"), std::string::npos) << now.image->sample;
    EXPECT_TRUE(now.what_ifs.empty()) << "nothing is changed in the window";
    EXPECT_EQ(now.title, old.title);
    EXPECT_EQ(now.notes, old.notes);
    EXPECT_EQ(now.question, old.question);
    EXPECT_EQ(now.choices, old.choices);
    EXPECT_EQ(now.answer, old.answer);
    EXPECT_EQ(now.minutes, old.minutes);
    EXPECT_EQ(lesson().stops[1].id, "image");
    EXPECT_EQ(h.item("lesson.stop.0").text.find(h.app->text()("lesson.changed", {{"parts", ""}})), std::string::npos);
    EXPECT_NE(read(file).find("# mine\nstep: mlp\n"), std::string::npos) << read(file);
    EXPECT_NE(read(file).find("# said\n"), std::string::npos);
    EXPECT_EQ(h.app->state().notice, h.app->text()("lesson.view_taken", {{"stop", "1"}}));
    h.tap("lesson.take_back");
    h.settle();
    EXPECT_EQ(read(file), text);
}

TEST_F(OwnLessons, AStopInAnyRoomTakesTheViewOfAnyOther) {
    change("open", 0, written("three.txt", three_stops).string());
    h.app->ask(command::WatchLearning{"skips"});
    h.settle();
    for (const Room& room : rooms()) {
        if (answers_of(room.id).places.word == nullptr) continue;
        h.app->ask(command::EnterRoom{std::string(room.id)});
        h.settle();
        change("view", 1, "");
        EXPECT_EQ(lesson().stops[1].room, room.id) << h.app->error();
        EXPECT_EQ(own_notes(lesson().stops[1], "en"), "Second.");
    }
}

TEST_F(OwnLessons, ARowNamesItsQuestionBeforeItsChanges) {
    change("open", 0, written("one.txt", "lesson: One\nstep: heads\nwhat-if: head:1.0, head:2.1\n").string());
    show_dialog_of_lessons(h, "lesson");
    const std::string row = h.item("lesson.stop.0").text;
    const std::size_t asks = row.find(h.app->text()("presenter.question")),
                      changed = row.find(h.app->text()("lesson.changed", {{"parts", ""}}));
    ASSERT_NE(asks, std::string::npos) << row;
    ASSERT_NE(changed, std::string::npos) << row;
    EXPECT_LT(asks, changed) << row;
}

TEST_F(OwnLessons, AKeptStopOfEveryRoomAsksNothingHoweverItIsKept) {
    h.app->ask(command::WatchLearning{"skips"});
    h.settle();
    std::size_t kept = 0;
    for (const Room& room : rooms()) {
        if (answers_of(room.id).places.word == nullptr) continue;
        h.app->ask(command::EnterRoom{std::string(room.id)});
        h.settle();
        h.press(Key::k);
        for (const char* const dialog : {"lessons", "lesson"}) {
            show_dialog_of_lessons(h, dialog);
            h.tap("lesson.keep");
            h.settle();
        }
        h.app->ask(command::ShowDialog{});
        h.frame(2);
        kept += 3;
        ASSERT_EQ(lesson().stops.size(), kept) << room.id << ": " << h.app->error();
    }
    for (const LessonStop& stop : lesson().stops) EXPECT_EQ(own_question(stop, "en"), "") << stop.room;
    h.app->ask(command::OpenLesson{lesson().source});
    h.settle();
    h.frame(40);
    for (int stop = 0; stop < static_cast<int>(kept); stop += 3) {
        for (int i = 0; i < 3 && stop > 0; ++i) h.press(Key::page_down);
        ASSERT_EQ(lecture().stop, stop);
        EXPECT_FALSE(h.shows("reading.question")) << lesson().stops[static_cast<std::size_t>(stop)].room;
        EXPECT_FALSE(h.shows("lecture.ask"));
        h.press(Key::q);
        EXPECT_EQ(lecture().alone, Alone::nothing) << lesson().stops[static_cast<std::size_t>(stop)].room;
    }
}

TEST_F(OwnLessons, ANewLessonHasAFileOfItsOwnAndTheOthersStay) {
    const fs::path first = folder / "my-lesson.lesson", second = folder / "my-lesson-2.lesson";
    h.press(Key::k);
    ASSERT_TRUE(fs::exists(first)) << h.app->error();
    show_dialog_of_lessons(h, "lessons");
    EXPECT_FALSE(h.shows("lesson.begins"));
    h.tap("lesson.new");
    EXPECT_TRUE(h.shows("lesson.begins"));
    EXPECT_FALSE(fs::exists(second)) << "it has no stop yet";
    h.tap("lesson.keep");
    h.settle();
    EXPECT_FALSE(h.shows("lesson.begins"));
    ASSERT_TRUE(fs::exists(second)) << h.app->error();
    EXPECT_EQ(load_lesson(first.string()).stops.size(), 1U);
    EXPECT_EQ(lesson().source, second.string());
    EXPECT_EQ(lesson().title_in("en"), h.app->text()("lessons.new_title") + " 2") << "two titles in one list differ";
    for (const char* const row : {"lesson.own", "lesson.own.edit", "lesson.own.2", "lesson.own.2.edit"})
        EXPECT_TRUE(h.shows(row)) << row;
    h.app->ask(command::ShowDialog{});
    h.settle();
    h.press(Key::k);
    h.settle();
    EXPECT_EQ(load_lesson(second.string()).stops.size(), 2U);
    h.app->ask(command::Do{"lesson.new"});
    change("open", 0, first.string());
    h.press(Key::k);
    EXPECT_EQ(load_lesson(first.string()).stops.size(), 2U)
        << "one that is opened for editing is the one that is kept in";
    EXPECT_EQ(h.app->error(), "");
}

TEST_F(OwnLessons, ANewLessonThatBeginsInALectureLeavesTheLecturesAlone) {
    const fs::path file = written("three.txt", three_stops), begun = folder / "my-lesson.lesson";
    h.app->ask(command::OpenLesson{file.string()});
    h.settle();
    h.frame(40);
    h.app->ask(command::Do{"lesson.new"});
    h.settle();
    EXPECT_EQ(h.app->state().notice, h.app->text()("lessons.begins"));
    h.press(Key::k);
    h.press(Key::k);
    ASSERT_TRUE(fs::exists(begun)) << h.app->error();
    EXPECT_EQ(load_lesson(begun.string()).stops.size(), 2U);
    EXPECT_EQ(read(file), three_stops);
    EXPECT_EQ(lesson().source, file.string());
    EXPECT_TRUE(lecture().on);
}

TEST(LessonWords, NoTextOfTheWindowNamesAFileThatItCannotOpen) {
    int languages = 0;
    for (const Embedded& file : assets()) {
        if (!file.name.starts_with("text/")) continue;
        ++languages;
        EXPECT_EQ(file.text().find("docs/"), std::string_view::npos) << file.name;
    }
    EXPECT_EQ(languages, 3);
}

}  // namespace
}  // namespace vitrine
