#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "app/chapters/step.h"
#include "app/lecture/lecture.h"
#include "app/ui/languages.h"
#include "app/ui/widgets/rich_text.h"
#include "tests/test_folder.h"
#include "tests/ui/harness.h"

// A stop asks, the audience guesses, and its answer is shown.

namespace vitrine {
namespace {

namespace fs = std::filesystem;

TEST(Lecture, OnAFullScreenAButtonBringsTheQuestionThenItsAnswerThenThePicture) {
    for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1920, 1080}}) {
        Harness h(Harness::with_image("cat"), size);
        h.app->ask(command::OpenLesson{"tour"});
        h.app->take_in(arrival::FullScreen{true});
        h.settle();
        h.frame(40);
        ASSERT_FALSE(h.shows("reading")) << "where the question stands in a window";
        EXPECT_NE(h.item("lecture.ask").text.find("(Q)"), std::string::npos) << h.item("lecture.ask").text;
        h.tap("lecture.ask");
        EXPECT_TRUE(h.shows("lecture.question"));
        EXPECT_FALSE(h.shows("lecture.answer"));
        EXPECT_NE(h.item("lecture.ask").text.find(h.app->text()("presenter.answer")), std::string::npos);
        h.tap("lecture.ask");
        EXPECT_TRUE(h.shows("lecture.answer"));
        h.tap("lecture.ask");
        EXPECT_FALSE(h.shows("lecture.question"));
        for (const std::string& language : language_codes()) {
            h.change()->settings.language = language;
            h.frame(5);
            h.expect_readable(language + " at " + std::to_string(size.x));
        }
    }
}

TEST(Lecture, WhereAStopAsksNothingThereIsNoButtonForIt) {
    const TestFolder folder;
    const fs::path file = folder / "silent.txt";
    std::ofstream(file) << "lesson: Silent\nstep: mlp\nquestion:\nstep: heads\n";
    Harness h;
    h.app->open({file});
    h.settle();
    h.frame(40);
    EXPECT_FALSE(h.shows("lecture.ask"));
    h.tap("lecture.on");
    EXPECT_TRUE(h.shows("lecture.ask"));
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
    EXPECT_EQ(h.focus().step, step_index("layer_norm") + 1) << "and then the next step";
}

TEST(Lecture, AfterAnAnswerComesTheNextStopAndBackLeadsThroughTheQuestionToThePicture) {
    Harness h;
    h.app->ask(command::OpenLesson{"tour"});
    h.settle();
    h.frame(40);
    for (const Key on : {Key::right, Key::page_down, Key::space}) {
        h.app->ask(command::Do{"lecture.first"});
        h.settle();
        h.press(Key::q);
        ASSERT_TRUE(h.shows("lecture.question"));
        EXPECT_FALSE(h.shows("lecture.answer"));
        EXPECT_FALSE(h.shows("lecture.play")) << "covered";
        h.press(on);
        EXPECT_TRUE(h.shows("lecture.answer"));
        h.press(Key::left);
        EXPECT_TRUE(h.shows("lecture.question"));
        EXPECT_FALSE(h.shows("lecture.answer")) << "back to the question";
        h.press(on);
        h.press(on);
        EXPECT_FALSE(h.shows("lecture.alone"));
        EXPECT_EQ(h.app->state().lecture.stop, 1) << "after the answer";
    }
    h.press(Key::q);
    h.press(Key::page_up);
    EXPECT_FALSE(h.shows("lecture.alone"));
    EXPECT_EQ(h.app->state().lecture.stop, 1) << "the picture, from its question";
    h.press(Key::page_up);
    EXPECT_EQ(h.app->state().lecture.stop, 0);
    h.press(Key::i);
    ASSERT_TRUE(h.shows("lecture.equation"));
    h.press(Key::right);
    EXPECT_FALSE(h.shows("lecture.alone"));
    EXPECT_EQ(h.app->state().lecture.stop, 0) << "an equation is about this picture";
}

TEST(Lecture, AQuestionIsInTheMiddleOfASlideThatCoversThePicture) {
    const TestFolder folder;
    const fs::path file = folder / "class.txt";
    std::ofstream(file) << "lesson: Class\nstep: mlp\nquestion: How many?\nchoice: four\nchoice: * six\nchoice: ten\n"
                           "answer: Six, one for each head.\n";
    for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1920, 1080}}) {
        Harness h(Harness::with_image("cat"), size);
        h.change()->settings.presenter = true;
        h.app->open({file});
        h.settle();
        h.frame(40);
        const Rect stage = h.item("stage").rect;
        for (const char* const last : {"choice.2", "lecture.answer"}) {
            h.press(Key::a);
            h.frame(4);
            const Rect slide = h.item("lecture.alone").rect;
            EXPECT_TRUE(slide.x0 <= stage.x0 && slide.y0 <= stage.y0 && slide.x1 >= stage.x1) << size.x;
            const float above = h.item("lecture.question").rect.y0 - slide.y0, below = slide.y1 - h.item(last).rect.y1;
            EXPECT_NEAR(above, below, 0.12F * slide.height()) << last << " at " << size.x;
            const float between = h.item("choice.0").rect.y0 - h.item("lecture.question").rect.y1;
            EXPECT_LT(between, 0.1F * slide.height()) << "the choices belong to the question";
            h.expect_readable(std::string(last) + " at " + std::to_string(size.x));
        }
    }
}

TEST(Lecture, TheScoresAskOnlyWhereTheLessonDoes) {
    const TestFolder folder;
    const fs::path file = folder / "scores.txt";
    std::ofstream(file) << "lesson: Scores\nstep: scores\nstep: scores\nquestion: Why?\n";
    Harness h;
    h.app->open({file});
    h.settle();
    h.frame(40);
    ASSERT_TRUE(h.shows("scores.row_without.entropy"));
    EXPECT_FALSE(h.shows("reading.question")) << "beside the row that answers it";
    h.press(Key::page_down);
    EXPECT_EQ(h.item("reading.question").text, "Why?");
}

TEST(Lecture, NothingGivesTheAnswerAwayWhileTheQuestionFillsTheScreen) {
    Harness h;
    h.app->ask(command::OpenLesson{"tour"});
    h.settle();
    h.frame(40);
    EXPECT_TRUE(h.shows("lecture.prediction"));
    h.press(Key::a);
    ASSERT_TRUE(h.shows("lecture.question"));
    EXPECT_FALSE(h.shows("lecture.prediction"));
    h.press(Key::a);
    ASSERT_TRUE(h.shows("lecture.answer"));
    EXPECT_TRUE(h.shows("lecture.prediction"));
}

TEST(Lecture, AGuessIsAnsweredAndChangesNothingElse) {
    for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1920, 1080}}) {
        Harness h(Harness::with_image("cat"), size);
        h.app->ask(command::OpenLesson{"tour"});
        h.settle();
        while (h.focus().step != step_index("attention")) h.press(Key::page_down);
        h.frame(40);
        ASSERT_EQ(h.focus().token, 0);
        ASSERT_TRUE(h.app->workspace().selection.guess().open);
        EXPECT_FALSE(h.shows("guess.told"));
        const Focus before = h.focus();
        h.tap("attention.map.0");
        EXPECT_EQ(h.focus(), before) << "the map that is asked about stays";
        ASSERT_TRUE(h.shows("guess.told"));
        EXPECT_TRUE(h.shows("attention.guess.0")) << "it is marked";
        EXPECT_FALSE(h.shows("readout")) << "the answer is free";
        const Point centre = h.item("attention.map.0").rect.centre();
        h.input.move(centre.x + 4, centre.y);
        h.frame(3);
        EXPECT_NE(h.item("readout").text.find(h.app->text()("guess.open_tip")), std::string::npos);
        EXPECT_NE(h.item("guess.told").text.find('%'), std::string::npos) << h.item("guess.told").text;
        const Config& c = h.result().model->config;
        const auto block = h.result().trace.block(h.focus().block);
        int best = c.token_of(0);
        float most = 0;
        for (int head = 0; head < c.heads; ++head)
            for (int token = c.token_of(0); token < c.tokens(); ++token)
                if (const float weight = attention_row(*block, head, 0)[static_cast<std::size_t>(token)]; weight > most)
                    most = weight, best = token;
        const int guess = *h.app->workspace().selection.guess().token;
        EXPECT_EQ(h.item("guess.told").value, guess == best ? 1 : 0);
        h.door().workspace().selection.guess_token(best);
        h.frame(3);
        EXPECT_EQ(h.item("guess.told").value, 1);
        h.expect_readable("a guess at " + std::to_string(size.x));
        h.tap("guess.query");
        EXPECT_FALSE(h.shows("guess.told"));
        h.tap("attention.map.0");
        EXPECT_NE(h.focus().token, 0) << "now a click chooses the query";
    }
}

TEST(Lecture, InAHallAGuessIsAnsweredAtTheLowerEdgeWhereAButtonMakesClicksChooseAgain) {
    for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1920, 1080}}) {
        Harness h(Harness::with_image("cat"), size);
        h.app->ask(command::OpenLesson{"tour"});
        h.settle();
        h.app->take_in(arrival::FullScreen{true});
        while (h.focus().step != step_index("attention")) h.press(Key::page_down);
        h.frame(40);
        ASSERT_FALSE(h.shows("reading"));
        EXPECT_FALSE(h.shows("guess.told"));
        h.tap("attention.map.0");
        ASSERT_TRUE(h.shows("guess.told"));
        EXPECT_GT(h.item("guess.told").rect.y0, h.app->rect_of("stage").y1 - 60) << "at the lower edge";
        EXPECT_NE(h.item("guess.told").text.find('%'), std::string::npos);
        EXPECT_EQ(h.focus().token, 0);
        h.expect_readable("a guess in a hall at " + std::to_string(size.x));
        h.press(Key::q);
        EXPECT_FALSE(h.shows("guess.told")) << "the question alone";
        h.press(Key::q);
        ASSERT_TRUE(h.shows("lecture.guess"));
        h.tap("lecture.guess");
        EXPECT_FALSE(h.shows("guess.told"));
        h.tap("attention.map.0");
        EXPECT_NE(h.focus().token, 0) << "now a click chooses the query";
    }
}

TEST(Lecture, AQuestionOffersChoicesAndItsAnswerShowsTheHandsBesideWhatIsRight) {
    const TestFolder folder;
    const fs::path file = folder / "class.txt";
    std::ofstream(file) << "lesson: Class\nstep: mlp\nquestion: How many?\nchoice: four\nchoice: * six\nchoice: ten\n";
    for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1920, 1080}}) {
        Harness h(Harness::with_image("cat"), size);
        h.app->open({file});
        h.settle();
        h.door().state.full_screen = true;
        h.settle();
        h.frame(40);
        h.press(Key::a);
        EXPECT_EQ(h.item("choice.1").value, 0) << "what is right is not told yet";
        for (int i = 0; i < 3; ++i) h.tap("choice.1.more");
        h.tap("choice.0.more");
        h.tap("choice.2.more");
        h.tap("choice.2.fewer");
        EXPECT_EQ(h.item("choice.2.hands").value, 0);
        h.expect_readable("choices at " + std::to_string(size.x));
        h.press(Key::a);
        EXPECT_EQ(h.item("choice.1").value, 1) << "it is marked";
        EXPECT_NEAR(h.item("choice.1.split").value, 0.75, 1e-6);
        EXPECT_NEAR(h.item("choice.0.split").value, 0.25, 1e-6);
        EXPECT_FALSE(h.shows("choice.1.more"));
        h.expect_readable("the split at " + std::to_string(size.x));
    }
}

}  // namespace
}  // namespace vitrine
