#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/ui/own_lessons.h"

namespace vitrine {
namespace {

/// The finder's rows for some words; it stays open.
std::vector<std::string> rows_of_finder(Harness& h, const std::string& ascii) {
    h.press(Key::k, Key::ctrl);
    h.type(ascii);
    std::vector<std::string> rows;
    for (int i = 0; h.shows("find.row." + std::to_string(i)); ++i)
        rows.push_back(h.item("find.row." + std::to_string(i)).text);
    return rows;
}

bool lists(const std::vector<std::string>& rows, const std::string& row) {
    return std::ranges::find(rows, row) != rows.end();
}

TEST(FindLecture, TheFinderStartsALectureWithThePresentersWindow) {
    Harness h;
    const Text& text = h.app->text();
    for (const char* const words : {"presenter", "presenter window"}) {
        const std::vector<std::string> rows = rows_of_finder(h, words);
        ASSERT_FALSE(rows.empty()) << words;
        EXPECT_EQ(rows.front(), text("command.lecture.with_presenter")) << words;
        EXPECT_FALSE(lists(rows, text("command.presenter"))) << "it is of a lecture that is on";
        h.press(Key::escape);
    }
    rows_of_finder(h, "presenter");
    h.tap("find.row.0");
    h.settle();
    EXPECT_TRUE(h.app->state().lecture.on);
    EXPECT_TRUE(h.app->state().settings.presenter);
    const std::vector<std::string> rows = rows_of_finder(h, "presenter");
    EXPECT_TRUE(lists(rows, text("command.presenter")));
    EXPECT_FALSE(lists(rows, text("command.lecture.with_presenter"))) << "it has started";
}

TEST(FindLecture, TheFinderKnowsWhetherAnimationsPlayInALecture) {
    Harness h;
    const bool plays = h.app->state().settings.plays;
    h.carry_out(command::Do{"setting.plays"});
    EXPECT_NE(h.app->state().settings.plays, plays);
    const std::vector<std::string> rows = rows_of_finder(h, "animations play by themselves");
    EXPECT_TRUE(lists(rows, h.app->text()("command.setting.plays")));
}

TEST_F(OwnLessons, TheFinderBeginsALessonAndEditsOnesOwn) {
    const Text& text = h.app->text();
    EXPECT_FALSE(lists(rows_of_finder(h, "edit my lesson"), text("command.lesson.edit"))) << "there is none";
    h.press(Key::escape);
    EXPECT_TRUE(lists(rows_of_finder(h, "new lesson"), text("command.lesson.new")));
    h.press(Key::escape);
    h.change()->settings.lesson = written("three.txt", three_stops).string();
    h.frame(2);
    const std::vector<std::string> rows = rows_of_finder(h, "edit my lesson");
    const auto found = std::ranges::find(rows, text("command.lesson.edit"));
    ASSERT_NE(found, rows.end());
    h.tap("find.row." + std::to_string(found - rows.begin()));
    h.settle();
    EXPECT_TRUE(h.shows("lesson.stop.2")) << h.app->error();
    EXPECT_FALSE(lecture().on);
}

}  // namespace
}  // namespace vitrine
