#include <gtest/gtest.h>

#include <string>

#include "app/ui/languages.h"
#include "tests/files.h"
#include "tests/test_folder.h"
#include "tests/ui/presenter_screen.h"

namespace vitrine {
namespace {

const ImVec2 beside_the_picture{800, 1080};  // on one monitor of 1920 × 1080

constexpr const char* class_with_training =
    "lesson: Class\nlearn: skips\nstep: mlp\nquestion: Without it, what happens to the softmax?\n"
    "choice: * It sharpens onto few tokens\nchoice: It becomes uniform\nchoice: Nothing\nchoice: It fails\n"
    "answer: The largest weight grows.\nstep: heads\n";

TEST(PresenterLayout, InAHighWindowEachCardHasTheWholeWidth) {
    const TestFolder folder;
    write(folder / "class.txt", class_with_training);
    for (const std::string& language : language_codes()) {
        Harness h;
        h.change()->settings.language = language;
        h.door().state.monitors = {{"eDP-1", {0, 0, 1920, 1080}, {}, true}};
        begin_lesson(h, (folder / "class.txt").string());
        PresenterScreen screen(h, beside_the_picture);
        const auto check = [&](const std::string& where) {
            for (const char* const id : {"presenter.notes", "presenter.questions", "presenter.next"})
                EXPECT_GE(screen.item(id).rect.width(), 0.9F * beside_the_picture.x) << id << where;
            for (const auto& [card, picture] : {std::pair{"presenter.notes", "presenter.here_picture"},
                                                std::pair{"presenter.next", "presenter.next_picture"}}) {
                const Rect whole = screen.item(card).rect, drawn = screen.item(picture).rect;
                EXPECT_GE(drawn.x0 - whole.x0, 0.4F * whole.width()) << picture << where;
                EXPECT_LE(drawn.y1, whole.y1) << picture << where;
            }
            screen.expect_readable(language + where);
        };
        check(" at the stop with training");
        const Rect without = screen.item("presenter.questions").rect, notes = screen.item("presenter.notes").rect;
        screen.tap("presenter.next_stop");
        check(" at the stop with choices");
        EXPECT_LT(without.height(), screen.item("presenter.questions").rect.height()) << "there is no question to show";
        EXPECT_GT(notes.height(), screen.item("presenter.notes").rect.height()) << "its room is the notes'";
    }
}

TEST(PresenterLayout, InAHighWindowEveryChoiceIsOnOneLine) {
    const TestFolder folder;
    write(folder / "class.txt", class_with_training);
    Harness h;
    begin_lesson(h, (folder / "class.txt").string());
    h.press(Key::page_down);
    PresenterScreen screen(h, beside_the_picture);
    screen.tap("choice.0.more");
    screen.tap("presenter.answer");
    const Rect shortest = screen.item("choice.2").rect;
    EXPECT_EQ(screen.item("choice.0").rect.height(), shortest.height()) << "with its share of the hands";
    EXPECT_TRUE(screen.item("presenter.answer_words").visible);
    EXPECT_LE(screen.item("presenter.answer_words").rect.y1, screen.item("presenter.questions").rect.y1);
}

TEST(PresenterLayout, APictureThatOnlyTheAudienceSeesSaysSoInWholeWords) {
    const TestFolder folder;
    write(folder / "class.txt", class_with_training);
    for (const ImVec2 size : {ImVec2{800, 720}, beside_the_picture, ImVec2{1280, 720}}) {
        Harness h;
        begin_lesson(h, (folder / "class.txt").string());
        PresenterScreen screen(h, size);
        screen.presenter.show({.drawing = false});
        screen.frame(2);
        const Rect picture = screen.item("presenter.here_picture").rect;
        std::string drawn;
        for (const Probe::Words& words : screen.presenter.probe().words())
            if (picture.contains(words.rect.centre())) drawn += words.text + " ";
        EXPECT_NE(drawn.find("window"), std::string::npos) << drawn << " at " << size.x;
        EXPECT_EQ(drawn.find("…"), std::string::npos) << drawn << " at " << size.x;
    }
}

}  // namespace
}  // namespace vitrine
