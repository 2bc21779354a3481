#include <gtest/gtest.h>

#include "tests/files.h"
#include "tests/test_folder.h"
#include "tests/ui/harness.h"
#include "tests/ui/presenter_screen.h"

namespace vitrine {
namespace {

TEST(PresenterButtons, TheNextOneToPressIsTheOneThatContinuesWithTheQuestion) {
    Harness h;
    begin_lesson(h, "tour");
    PresenterScreen screen(h);
    screen.tap("presenter.next_stop");
    ASSERT_TRUE(h.app->workspace().motion.waits);
    EXPECT_EQ(screen.item("presenter.primary").text, "presenter.play");
    screen.tap("presenter.ask");
    ASSERT_TRUE(h.app->workspace().motion.waits);
    EXPECT_EQ(screen.item("presenter.primary").text, "presenter.answer");
    screen.tap("presenter.answer");
    EXPECT_EQ(screen.item("presenter.primary").text, "presenter.next_stop");
    screen.tap("presenter.answer");
    EXPECT_FALSE(h.shows("lecture.alone"));
    EXPECT_EQ(screen.item("presenter.primary").text, "presenter.play") << "once the question is closed";
}

TEST(PresenterButtons, ChoicesAndTheirHandsAreInTheLargestTypeThatFits) {
    const TestFolder folder;
    write(folder / "class.txt", "lesson: Class\nstep: mlp\nquestion: How many?\nchoice: four\nchoice: * six\n");
    Harness h;
    begin_lesson(h, (folder / "class.txt").string());
    for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1920, 1080}}) {
        PresenterScreen screen(h, size);
        const Rect question = screen.item("presenter.question").rect;
        for (const char* const id : {"choice.0", "choice.1"})
            EXPECT_GE(screen.item(id).rect.height(), question.height()) << id;
        EXPECT_GE(screen.item("choice.0.hands").rect.height(), 0.7F * question.height());
        EXPECT_LE(screen.item("choice.1.hands").rect.x1, screen.item("presenter.questions").rect.x1);
        EXPECT_TRUE(screen.item("presenter.peek").visible);
        screen.expect_readable("choices at " + std::to_string(size.x));
    }
}

}  // namespace
}  // namespace vitrine
