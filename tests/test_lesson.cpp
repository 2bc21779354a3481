#include <gtest/gtest.h>

#include "app/lecture/lesson.h"
#include "app/rooms/explore/steps/step.h"
#include "app/ui/languages.h"
#include "app/workspace/library.h"
#include "core/base/error.h"
#include "tests/small_model.h"

namespace vitrine {
namespace {

constexpr const char* good = R"(# a remark
lesson: Heads
lesson.ja: ヘッド

step: attention
image: house
block: 2
head: 1
token: 13
solo: yes
what-if: head:2.0, patch:4
notes: Ask first,
  then point.
notes.ko: 먼저 묻습니다.

step: heads
)";

TEST(Lesson, ListsItsStopsWithWhatIsLookedAt) {
    const Lesson lesson = parse_lesson(good, "heads.txt", {});
    EXPECT_EQ(lesson.title_in("en"), "Heads");
    EXPECT_EQ(lesson.title_in("ja"), "ヘッド");
    ASSERT_EQ(lesson.stops.size(), 2U);
    const LessonStop& stop = lesson.stops[0];
    EXPECT_EQ(stop.step, step_index("attention"));
    EXPECT_EQ(stop.image->sample, "house");
    EXPECT_EQ(stop.block, 2);
    EXPECT_TRUE(stop.solo);
    EXPECT_EQ(stop.what_ifs, (std::vector<std::string>{"head:2.0", "patch:4"}));
    EXPECT_EQ(own_notes(stop, "en"), "Ask first, then point.");
    EXPECT_EQ(own_notes(stop, "ko"), "먼저 묻습니다.");
    EXPECT_EQ(own_notes(lesson.stops[1], "en"), "");
}

TEST(Lesson, ThatIsBrokenNamesItsLine) {
    const auto refused = [](const std::string& text, const std::string& line) {
        try {
            parse_lesson(text, "broken.txt", {});
            ADD_FAILURE() << text << " was taken";
        } catch (const Error& error) {
            EXPECT_EQ(std::string(error.what()).find("broken.txt" + line), 0U) << error.what();
        }
    };
    refused("lesson: A\nstep: nose\n", ":2: ");
    refused("lesson: A\n\nstep: attention\nblock: two\n", ":4: ");
    refused("lesson: A\nblock: 2\nstep: attention\n", ":2: ");
    refused("lesson: A\nstep: attention\ncolour: red\n", ":3: ");
    refused("lesson: A\nstep: attention\nnotes.fr: oui\n", ":3: ");
    refused("lesson: A\nstep: attention\n\n  alone\n", ":4: ");
    refused("lesson: A\nstep: attention\nimage: nowhere.png\n", ":3: ");
    refused("lesson: A\nstep: attention\nimage: " + std::string(400, 'x') + "\n", ":3: ");
    refused("lesson: A\nhello\n", ":2: ");
    refused("step: attention\n", ": ");
    refused("lesson: A\n", ": ");
}

TEST(Lesson, WithANumberOutsideTheModelNamesItsLineWhenItIsShown) {
    const auto model = open_model(small_model());
    const Lesson lesson = parse_lesson("lesson: A\nstep: attention\nblock: 9\n", "far.txt", {});
    EXPECT_THROW(place_of(lesson, 0, {}, model->config), Error);
    const Lesson word = parse_lesson("lesson: A\nstep: attention\nwhat-if: head:1.9\n", "far.txt", {});
    EXPECT_THROW(place_of(word, 0, {}, model->config), Error);
}

TEST(Lesson, TheBundledOnesAreWholeAndFitTheBundledModel) {
    const auto model = open_model({});
    ASSERT_EQ(bundled_lessons().size(), 3U);
    for (const std::string& name : bundled_lessons()) {
        const Lesson lesson = load_lesson(name);
        EXPECT_GE(lesson.stops.size(), 8U);
        for (const std::string& language : language_codes()) EXPECT_FALSE(lesson.title_in(language).empty());
        EXPECT_NE(lesson.title_in("en"), lesson.title_in("ja"));
        Place place;
        for (int i = 0; i < static_cast<int>(lesson.stops.size()); ++i) {
            place = place_of(lesson, i, place, model->config);
            EXPECT_EQ(place.focus.step, lesson.stops[static_cast<std::size_t>(i)].step);
        }
    }
}

}  // namespace
}  // namespace vitrine
