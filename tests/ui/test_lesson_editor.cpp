#include <filesystem>

#include "app/exports/orders.h"
#include "app/ui/languages.h"
#include "app/ui/widgets/rich_text.h"
#include "tests/ui/own_lessons.h"

namespace vitrine {
namespace {

namespace fs = std::filesystem;

TEST_F(OwnLessons, AKeptStopAsksNothingUntilItsQuestionIsChosen) {
    go_to(h, "heads");
    h.press(Key::k);
    ASSERT_EQ(lesson().stops.size(), 1U) << h.app->error();
    EXPECT_EQ(own_question(lesson().stops[0], "en"), "");
    h.app->ask(command::ShowDialog{"lesson"});
    h.frame(4);
    const std::string asks = h.app->text()("presenter.question");
    EXPECT_EQ(h.item("lesson.stop.0").text.find(asks), std::string::npos);
    EXPECT_EQ(h.item("lesson.question.placeholder").text, h.app->text()("presenter.no_question"));
    h.tap("lesson.question_own");
    EXPECT_EQ(own_question(lesson().stops[0], "en"), "") << "until it is written";
    h.tap("lesson.question_usual");
    EXPECT_FALSE(own_question(lesson().stops[0], "en"));
    EXPECT_NE(h.item("lesson.stop.0").text.find(asks), std::string::npos);
    EXPECT_EQ(h.item("lesson.question.placeholder").text, without_markup(h.app->text()("step.heads.question")));
}

TEST_F(OwnLessons, TheChosenStopStaysChosenWhenOthersAreMovedOrRemoved) {
    change("open", 0, written("three.txt", three_stops).string());
    h.app->ask(command::ShowDialog{"lesson"});
    h.frame(4);
    h.tap("lesson.stop.2");
    h.tap("lesson.stop.1.down");
    h.tap("lesson.more");
    EXPECT_EQ(lesson().stops[1].minutes, 2.5F) << "the third stop, now the second";
    h.tap("lesson.stop.0.remove");
    h.tap("lesson.more");
    EXPECT_EQ(lesson().stops[0].minutes, 3.0F);
}

TEST_F(OwnLessons, AQuestionWhoseWordsAreRemovedIsNotReplacedByTheChapters) {
    change("open", 0, written("one.txt", "lesson: One\nstep: heads\nquestion: W\n").string());
    h.app->ask(command::ShowDialog{"lesson"});
    h.frame(4);
    h.tap("lesson.question");
    h.strike(Key::end);
    h.strike(Key::backspace);
    EXPECT_EQ(h.item("lesson.question").text, "");
    h.tap("lesson.title");
    EXPECT_EQ(own_question(lesson().stops[0], "en"), "");
}

TEST_F(OwnLessons, ATitleIsSavedWhileItIsTypedAndUndoneAtOnce) {
    const fs::path file = written("three.txt", three_stops);
    change("open", 0, file.string());
    h.app->ask(command::ShowDialog{"lesson"});
    h.frame(4);
    h.tap("lesson.title");
    h.type("My own ");
    h.settle();
    const std::string typed = h.item("lesson.title").text;
    EXPECT_NE(typed.find("My own "), std::string::npos) << "with the blank at its end";
    EXPECT_NE(load_lesson(file.string()).title_in("en").find("My own"), std::string::npos)
        << "before the field is left";
    h.tap("lesson.take_back");
    EXPECT_EQ(read(file), three_stops);
    EXPECT_EQ(h.item("lesson.title").text, "Three");
}

TEST_F(OwnLessons, ALongTitleMovesNoRowOfTheListAndIsWholeInItsTip) {
    const fs::path file = written("three.txt", three_stops);
    const auto row = [&] {
        h.app->ask(command::ShowDialog{"lessons"});
        h.frame(4);
        return h.item("lesson.own").rect;
    };
    h.app->open({file});
    h.settle();
    const Rect before = row(), edit = h.item("lesson.own.edit").rect;
    std::string title = "A title";
    for (int i = 0; i < 12; ++i) title += " that is long";
    h.app->ask(command::ShowDialog{});
    change("title", 0, title);
    const Rect after = row();
    EXPECT_EQ(after, before);
    EXPECT_EQ(h.item("lesson.own.edit").rect, edit);
    EXPECT_NE(h.item("lesson.own").text.find("…"), std::string::npos) << h.item("lesson.own").text;
    EXPECT_NE(h.item("lesson.own").text.find("stops: 3"), std::string::npos) << h.item("lesson.own").text;
    h.expect_readable("a list with a long title");
    h.hover("lesson.own");
    h.frame(90);
    EXPECT_NE(h.item("tooltip").text.find(title), std::string::npos);
}

TEST_F(OwnLessons, EveryBundledLessonsRowIsWholeAtEverySizeAndLanguage) {
    for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1920, 1080}})
        for (const std::string& language : language_codes()) {
            Opening opening = Harness::with_image("cat");
            opening.state.settings.language = language;
            Harness at(std::move(opening), size);
            at.app->ask(command::ShowDialog{"lessons"});
            at.settle();
            for (const std::string& name : bundled_lessons()) {
                const std::string title = load_lesson(name).title_in(language);
                EXPECT_TRUE(at.item("lesson." + name).text.starts_with(title)) << title;
            }
        }
}

TEST_F(OwnLessons, AHandoutIsCalledByItsLessonsTitleInAnyScript) {
    const auto name_of = [&](const std::string& title) {
        const fs::path file = written("my-lesson.lesson", "lesson: " + title + "\nstep: image\n");
        h.app->ask(command::WriteHandout{file.string()});
        h.frame(1);
        const auto& order = h.app->context().jobs().of<Orders>().handout.order;
        const std::string name = order ? order->file.filename().string() : "";
        h.app->ask(command::Do{"handout.cancel"});
        h.settle();
        return name;
    };
    EXPECT_EQ(name_of("Two heads: which one?"), "vitrine-two-heads-which-one.html");
    EXPECT_EQ(name_of("../etc/\"x\""), "vitrine-etc-x.html");
    EXPECT_EQ(name_of("?"), "vitrine-my-lesson.html") << "nothing is left of it";
    const std::string greek = "\u03B1\u03B2\u03B3";
    EXPECT_EQ(name_of(greek), "vitrine-" + greek + ".html");
}

}  // namespace
}  // namespace vitrine
