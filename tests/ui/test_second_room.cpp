#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "app/lecture/lesson_text.h"
#include "app/rooms/laboratory/room.h"
#include "app/rooms/room_parts.h"
#include "app/rooms/text/room.h"
#include "app/workspace/text_result.h"
#include "tests/files.h"
#include "tests/test_folder.h"
#include "tests/ui/laboratory_room.h"

namespace vitrine {
namespace {

const RoomAnswers& answers_of_cellar() {
    static const RoomAnswers answers = [] {
        RoomAnswers all = laboratory_answers();
        all.places.word = "cellar";
        return all;
    }();
    return answers;
}

Room cellar() {
    Room room = laboratory_room();
    room.id = "cellar";
    room.key = Key::count;
    room.answers = answers_of_cellar;
    return room;
}

Room letters() {
    Room room = text_room();
    room.id = "letters";
    room.key = Key::count;
    return room;
}

/// A second laboratory, and a second room of texts.
class SecondRoom : public testing::Test {
protected:
    SecondRoom() { h.app->ask(command::ChangeSettings{{{"export_folder", "\"" + folder.path().string() + "\""}}}); }

    void enter(const std::string& room) {
        h.app->ask(command::EnterRoom{room});
        h.settle();
        EXPECT_EQ(h.app->error(), "");
    }
    void look(const std::string& part, const std::string& value) {
        h.app->ask(command::Look{{{part, value}}});
        h.settle();
    }
    const Workspace& now() const { return h.app->workspace(); }

    const TestFolder folder;
    const AnotherRoom below{cellar()}, beside{letters()};
    Harness h;
};

TEST_F(SecondRoom, IsTheOneThatItsOptionNames) {
    EXPECT_EQ(room_with_places("cellar").id, "cellar");
    EXPECT_EQ(room_with_places("lab").id, "laboratory");
    EXPECT_EQ(room_with_places("text").id, "text") << "the first of two";
}

TEST_F(SecondRoom, UndoNamesAChangeOfATextOnce) {
    enter("letters");
    h.frame(80);  // another series of looks
    look("text.chapter", "cross_attention");
    h.frame(80);
    h.tap("text.switch.no-cross");
    h.settle();
    h.frame(80);
    h.press(Key::z, Key::ctrl);
    const std::string name = h.app->text()("text.what_if.no-cross");
    EXPECT_EQ(h.app->state().notice, h.app->text()("travel.gone", {{"names", name}}));
}

TEST_F(SecondRoom, IsEnteredMeasuredAndLeft) {
    enter("cellar");
    EXPECT_TRUE(h.shows(tile(1, 0)));
    EXPECT_TRUE(h.shows("status.idle"));
    look("lab.instrument", "statistics");
    EXPECT_TRUE(h.shows("statistics.plot"));
    ASSERT_TRUE(now().measured && now().measured->statistics);
    const std::weak_ptr<const Result> held = now().shown.result;
    enter("laboratory");
    EXPECT_TRUE(h.shows("statistics.plot")) << "what was measured for one is there for the other";
    h.press(Key::f2);
    EXPECT_EQ(h.app->state().room, "explore");
    h.app->ask(command::OpenImage{{"sun", {}}});
    h.settle();
    EXPECT_TRUE(held.expired()) << "nothing is kept of a run that nobody sees";
}

TEST_F(SecondRoom, IsKeptInSessionsAndTheirCommandLines) {
    enter("cellar");
    look("lab.instrument", "ledger");
    const Session session = parse_session(to_json(h.app->session()), "s");
    EXPECT_EQ(session.room, "cellar");
    const std::string line = command_line_of(session, {});
    EXPECT_NE(line.find("--lab ledger"), std::string::npos) << line;
    EXPECT_EQ(line.find("lab.instrument"), std::string::npos) << line;
    h.press(Key::f2);
    h.app->restore(session);
    h.settle();
    EXPECT_EQ(h.app->state().room, "cellar");
    EXPECT_TRUE(h.shows("ledger.sum"));
}

TEST_F(SecondRoom, GivesNumbersAndPictures) {
    enter("cellar");
    look("lab.instrument", "statistics");
    h.press(Key::c, Key::ctrl);
    EXPECT_TRUE(std::string(ImGui::GetClipboardText()).starts_with("block (from 1)\t1\t2\t3\t4\n1\t"));
    h.app->ask(command::ExportPicture{.part = "stage", .format = "svg"});
    h.settle();
    EXPECT_TRUE(std::filesystem::exists(folder / "cat-lab-statistics.svg")) << h.app->error();
    h.press(Key::e, Key::ctrl);
    EXPECT_TRUE(h.shows("export.what.entropy"));
}

TEST_F(SecondRoom, HasStopsInLessons) {
    const std::filesystem::path file = folder / "two.lesson";
    write(file, "lesson: Two\n\ncellar: statistics\nquestion: Which head?\n\nstep: attention\n");
    const Lesson lesson = load_lesson(file.string());
    ASSERT_EQ(lesson.stops.size(), 2U);
    EXPECT_EQ(lesson.stops[0].room, "cellar");
    EXPECT_TRUE(text_of(lesson.stops[0], folder.path()).starts_with("cellar: statistics\n"));
    h.app->ask(command::OpenLesson{file.string()});
    h.settle();
    h.frame(40);
    EXPECT_EQ(h.app->state().room, "cellar");
    EXPECT_TRUE(h.shows("statistics.plot"));
    EXPECT_EQ(h.item("reading.question").text, "Which head?");
    h.app->ask(command::Do{"lecture.next_stop"});
    h.settle();
    EXPECT_EQ(h.app->state().room, "explore");
}

TEST_F(SecondRoom, ReadsTheTextThatTheFirstOneHasRead) {
    enter("text");
    const auto read = now().text.result;
    ASSERT_TRUE(read);
    enter("letters");
    EXPECT_EQ(now().text.result, read);
    EXPECT_TRUE(h.shows("status.idle"));
    EXPECT_EQ(tab_in_view(h.app->state(), h.app->context().focus()), "letters");
    enter("cellar");
    EXPECT_FALSE(now().text.result) << "nothing is kept of a text once its rooms are left";
}

}  // namespace
}  // namespace vitrine
