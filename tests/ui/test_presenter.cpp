#include <gtest/gtest.h>

#include <fstream>

#include "app/exports/export_commands.h"
#include "app/exports/screen.h"
#include "app/ui/widgets/rich_text.h"
#include "core/files/image.h"
#include "tests/files.h"
#include "tests/test_folder.h"
#include "tests/ui/harness.h"
#include "tests/ui/presenter_screen.h"

namespace vitrine {
namespace {

TEST(Presenter, HasNotesClockThisStopTheNextAndTheQuestionBeforeItsAnswer) {
    Harness h;
    begin_lesson(h, "tour");
    PresenterScreen screen(h);
    const Lesson& lesson = *h.app->state().lecture.lesson;
    EXPECT_EQ(screen.item("notes").text, own_notes(lesson.stops[0], "en"));
    EXPECT_EQ(screen.item("presenter.here").text, h.app->text()("step.image.title"));
    EXPECT_EQ(screen.item("presenter.next_title").text, h.app->text()("step.patches.title"));
    EXPECT_NE(screen.item("presenter.used").text.find("left"), std::string::npos) << "of the lesson's minutes";
    EXPECT_EQ(screen.item("presenter.count").text, "1 / " + std::to_string(lesson.stops.size()));
    EXPECT_EQ(screen.item("presenter.question").text, h.app->text()("step.image.question"));
    EXPECT_FALSE(screen.shows("presenter.answer_words"));
    EXPECT_FALSE(h.shows("lecture.question")) << "the hall sees the picture";
    screen.tap("presenter.peek");
    EXPECT_TRUE(screen.shows("presenter.answer_words"));
    EXPECT_FALSE(h.shows("lecture.alone")) << "still";
    screen.tap("presenter.next_stop");
    EXPECT_FALSE(screen.shows("presenter.answer_words")) << "the next question comes before its answer, too";
}

TEST(Presenter, TellsTheNextStopAndThatStopsWithoutMinutesLeaveTheEndOpen) {
    const TestFolder folder;
    const std::filesystem::path file = folder / "next.txt";
    std::ofstream(file) << "lesson: Next\nstep: mlp\nminutes: 2\nstep: residual\nstep: heads\nquestion: Which?\n";
    Harness h;
    begin_lesson(h, file.string());
    PresenterScreen screen(h);
    EXPECT_EQ(screen.item("presenter.next_sentence").text, h.app->text()("step.residual.sentence"));
    EXPECT_EQ(screen.item("presenter.next_question").text, h.app->text()("step.residual.question"));
    EXPECT_EQ(screen.item("presenter.used").text.find("left"), std::string::npos);
    EXPECT_NE(screen.item("presenter.used").text.find('2'), std::string::npos) << "two stops have no time";
    screen.tap("presenter.next_stop");
    EXPECT_EQ(screen.item("presenter.next_question").text, "Which?");
    screen.expect_readable("a presenter's window");
}

TEST(Presenter, TellsWhatIsNextWhileAQuestionFillsTheHall) {
    Harness h;
    begin_lesson(h, "tour");
    PresenterScreen screen(h);
    const Text& text = h.app->text();
    EXPECT_FALSE(screen.shows("presenter.then")) << "the next stop has a part of its own";
    screen.tap("presenter.ask");
    EXPECT_EQ(screen.item("presenter.then").text, text("presenter.then", {{"what", text("presenter.answer")}}));
    screen.tap("presenter.next_stop");
    EXPECT_TRUE(h.shows("lecture.answer")) << "as its key does";
    EXPECT_EQ(screen.item("presenter.then").text, text("presenter.then", {{"what", text("step.patches.title")}}));
    screen.expect_readable("a presenter's window");
    screen.tap("presenter.next_stop");
    EXPECT_EQ(h.app->state().lecture.stop, 1);
}

TEST(Presenter, ItsPictureOfTheHallIsNeverTheOneBeforeTheQuestion) {
    Harness h;
    begin_lesson(h, "tour");
    PresenterScreen screen(h);
    screen.draw_stops();
    ASSERT_NE(screen.pictures.views().here, nullptr);
    h.press(Key::q);
    screen.pictures.step(*h.app);
    EXPECT_EQ(screen.pictures.views().here, nullptr) << "the audience sees the question";
    screen.draw_stops();
    EXPECT_NE(screen.pictures.views().here, nullptr);
}

TEST(Presenter, AnswersAQuestionOfOnesOwnThatHasChoicesAlone) {
    const TestFolder folder;
    const std::filesystem::path file = folder / "class.txt";
    std::ofstream(file) << "lesson: Class\nstep: mlp\nquestion: How many?\nchoice: four\nchoice: * six\n"
                           "step: scores\nquestion: Why?\n";
    Harness h;
    begin_lesson(h, file.string());
    PresenterScreen screen(h);
    screen.tap("presenter.answer");
    EXPECT_EQ(h.item("choice.1").value, 1) << "the hall sees which is right";
    screen.tap("presenter.answer");
    screen.tap("presenter.next_stop");
    screen.tap("presenter.answer");
    EXPECT_FALSE(h.shows("lecture.alone")) << "a question without answer and choices has nothing to show";
}

TEST(Presenter, HandsAreCountedInItsWindowAndTheHallShowsTheSplitAlone) {
    const TestFolder folder;
    const std::filesystem::path file = folder / "class.txt";
    std::ofstream(file) << "lesson: Class\nstep: mlp\nquestion: How many?\nchoice: four\nchoice: * six\n";
    Harness h;
    h.change()->settings.presenter = true;
    begin_lesson(h, file.string());
    PresenterScreen screen(h);
    h.press(Key::a);
    ASSERT_TRUE(h.shows("lecture.question"));
    EXPECT_EQ(h.item("choice.1").text, "B   six");
    EXPECT_FALSE(h.shows("choice.1.more")) << "the hall sees no controls";
    EXPECT_FALSE(h.shows("choice.1.hands"));
    screen.tap("choice.1.more");
    screen.tap("choice.0.more");
    h.press(Key::a);
    EXPECT_NEAR(h.item("choice.1.split").value, 0.5, 1e-6);
    EXPECT_FALSE(h.shows("choice.1.more"));
    h.press(Key::a);
    h.press(Key::w);
    h.press(Key::a);
    EXPECT_TRUE(h.shows("choice.1.more")) << "without that window they are counted here";
}

TEST(Presenter, FourChoicesAreWholeWithTheirHandsAt720p) {
    const TestFolder folder;
    const std::filesystem::path file = folder / "class.txt";
    std::ofstream(file)
        << "lesson: Class\nstep: mlp\nquestion: How many of the 512 units of the MLP are active for the "
           "class token in this block?\nchoice: none\nchoice: * about a third\nchoice: half of "
           "them\nchoice: all of them\n";
    Harness h;
    h.change()->settings.presenter = true;
    begin_lesson(h, file.string());
    PresenterScreen screen(h, {1280, 720});
    const Rect card = screen.item("presenter.questions").rect;
    for (const char* const id : {"choice.0", "choice.3", "choice.3.more", "presenter.peek"}) {
        EXPECT_TRUE(screen.item(id).visible) << id;
        EXPECT_LE(screen.item(id).rect.y1, card.y1) << id;
    }
    EXPECT_LE(screen.item("choice.3").rect.x1, screen.item("choice.3.fewer").rect.x0);
}

TEST(Presenter, TheNextStopsWordsAreThoseThatItsStageShows) {
    const TestFolder folder;
    const std::filesystem::path file = folder / "next.txt";
    std::ofstream(file) << "lesson: Next\nstep: mlp\n"
                           "step: attention\nset: looked_at=yes\n"
                           "step: attention\nset: defaults\n"
                           "step: attention_matrix\nset: scores=yes\n"
                           "step: layer_norm\nwhat-if: no-norm\n"
                           "lab: tokens\nset: lab.figure=filters\n"
                           "learn: skips\n"
                           "learn: norms\nrecorded: yes\n"
                           "learn: translate\n"
                           "learn: mask\n"
                           "learn: nets\n"
                           "text: mask\n"
                           "exercise: bare_return\n";
    Harness h;
    begin_lesson(h, file.string());
    PresenterScreen screen(h, {1920, 1080});
    const auto stops = static_cast<int>(h.app->state().lecture.lesson->stops.size());
    for (int stop = 1; stop < stops; ++stop) {
        const std::string told = screen.item("presenter.next_sentence").text;
        screen.tap("presenter.next_stop");
        ASSERT_EQ(h.app->state().lecture.stop, stop);
        h.wait_until([&] { return h.shows("stage.sentence"); });
        h.settle();
        const std::string shown = h.item("stage.sentence").text;
        EXPECT_TRUE(shown.starts_with(told)) << stop << ": " << told << "\n" << shown;
    }
}

TEST(Presenter, AStopOfAnExperimentHasItsWordsAsNotes) {
    const TestFolder folder;
    const std::filesystem::path file = folder / "train.txt";
    std::ofstream(file) << "lesson: Train\nlearn: norms\nlearn: norms\nnotes: My own.\nlab: ledger\n";
    Harness h;
    begin_lesson(h, file.string());
    PresenterScreen screen(h);
    EXPECT_EQ(screen.item("notes").text, without_markup(h.app->text()("learn.experiment.norms_tip")));
    screen.tap("presenter.next_stop");
    EXPECT_EQ(screen.item("notes").text, "My own.");
    screen.tap("presenter.next_stop");
    EXPECT_EQ(screen.item("notes").text, "");
}

TEST(Presenter, OnOneScreenItSaysItselfThatItCoversThePicture) {
    Harness h;
    h.door().state.monitors = {{"eDP-1", {0, 0, 1920, 1080}, {}, true}};
    begin_lesson(h, "tour");
    PresenterScreen screen(h, {800, 720});
    EXPECT_EQ(screen.item("presenter.one_screen").text, h.app->text()("presenter.one_screen"));
    screen.expect_readable("a presenter's window on one screen");
    h.door().state.monitors.push_back({"HDMI-1", {1920, 0, 1280, 720}, {}, false});
    screen.frame(3);
    EXPECT_FALSE(screen.shows("presenter.one_screen"));
}

/// The mean difference of two pictures' pixels; the largest one if there is none of one.
double difference_of(const std::shared_ptr<const Image>& a, const std::shared_ptr<const Image>& b) {
    if (!a || !b || a->rgb.size() != b->rgb.size() || a->rgb.empty()) return 255;
    double sum = 0;
    for (std::size_t i = 0; i < a->rgb.size(); ++i) sum += std::abs(int{a->rgb[i]} - int{b->rgb[i]});
    return sum / static_cast<double>(a->rgb.size());
}

TEST(Presenter, ShowsThisStopAndTheNextAsTheAudienceSeesThem) {
    const TestFolder folder;
    const std::filesystem::path file = folder / "three.txt";
    std::ofstream(file) << "lesson: Three\nstep: attention\nimage: cat\nstep: prediction\nwhat-if: head:decisive\n"
                           "text: mask\n";
    Harness h;
    begin_lesson(h, file.string());
    PresenterScreen screen(h);
    EXPECT_EQ(screen.item("presenter.here_picture").value, 0);
    EXPECT_EQ(screen.item("presenter.next_picture").value, 0);
    for (const auto& [picture, title] : {std::pair{"presenter.here_picture", "presenter.here"},
                                         std::pair{"presenter.next_picture", "presenter.next_title"}})
        EXPECT_TRUE(screen.item(picture).text.starts_with(screen.item(title).text)) << "meanwhile, the stop's title";
    screen.draw_stops();
    EXPECT_EQ(screen.item("presenter.here_picture").value, 1);
    EXPECT_EQ(screen.item("presenter.next_picture").value, 1);
    const StopViews first = screen.pictures.views();
    EXPECT_GT(difference_of(first.here, first.next), 2);

    h.change().focus().solo = true;
    h.settle();
    screen.draw_stops();
    EXPECT_GT(difference_of(screen.pictures.views().here, first.here), 0.5) << "what the audience sees has changed";
    EXPECT_LT(difference_of(screen.pictures.views().next, first.next), 0.5) << "what comes next has not";

    screen.tap("presenter.next_stop");
    screen.pictures.step(*h.app);
    EXPECT_LT(difference_of(screen.pictures.views().here, first.next), 0.5) << "at once, as it was drawn before";
    screen.presenter.show(screen.pictures.views());
    screen.frame();
    EXPECT_EQ(screen.item("presenter.here_picture").text, h.app->text()("presenter.drawing")) << "it says so";
    screen.draw_stops();
    const StopViews second = screen.pictures.views();
    EXPECT_LT(difference_of(second.here, first.next), 0.5) << "the audience sees what was promised";
    EXPECT_GT(difference_of(second.next, first.next), 2);

    screen.tap("presenter.next_stop");
    screen.draw_stops();
    EXPECT_LT(difference_of(screen.pictures.views().here, second.next), 1);
    EXPECT_EQ(screen.pictures.views().next, nullptr) << "this is the last stop";
    EXPECT_FALSE(screen.shows("presenter.next_picture"));
    screen.tap("presenter.back");
    screen.pictures.step(*h.app);
    EXPECT_NE(screen.pictures.views().here, nullptr) << "going back, the last picture stands at once";
    EXPECT_NE(screen.pictures.views().next, nullptr);
    h.press(Key::l);
    h.frame(2);
    screen.pictures.step(*h.app);
    EXPECT_EQ(screen.pictures.views().here, nullptr) << "the lecture is over";
}

TEST(Presenter, HasNoPictureOfModelsInTrainingThatOnlyTheAudienceSees) {
    const TestFolder folder;
    const std::filesystem::path file = folder / "live.txt";
    std::ofstream(file) << "lesson: Live\nstep: heads\nimage: cat\nlearn: skips\n";
    Harness h;
    begin_lesson(h, file.string());
    PresenterScreen screen(h);
    screen.draw_stops();
    ASSERT_NE(screen.pictures.views().next, nullptr);
    screen.tap("presenter.next_stop");
    screen.draw_stops();
    EXPECT_EQ(screen.pictures.views().here, nullptr) << "not the picture of the next stop from before";
}

TEST(Presenter, ItsPictureOfTheHallShowsTheAnswerAndARecordingAndNoButtonForFullScreen) {
    const TestFolder folder;
    const std::filesystem::path file = folder / "two.txt";
    std::ofstream(file) << "lesson: Two\nstep: heads\nimage: cat\nlearn: skips\nrecorded: yes\n";
    Harness h;
    begin_lesson(h, file.string());
    PresenterScreen screen(h);
    screen.draw_stops();
    const StopViews usual = screen.pictures.views();
    h.press(Key::a);
    screen.draw_stops();
    const StopViews asked = screen.pictures.views();
    EXPECT_GT(difference_of(asked.here, usual.here), 1);
    h.press(Key::a);
    screen.draw_stops();
    EXPECT_GT(difference_of(screen.pictures.views().here, asked.here), 0.1) << "the answer";
    EXPECT_LT(difference_of(screen.pictures.views().next, asked.next), 0.5);

    Opening opening = opening_in_view(h.app->context());
    opening.state.settings.presenter = true;
    opening.state.lecture = h.app->state().lecture;
    opening.state.lecture.alone = Alone::nothing;
    Screen hall({.width = 1280, .height = 720});
    std::vector<double> apart;  // at the lower edge, without and with full screen
    for (const bool full : {false, true}) {
        opening.state.full_screen = full;
        hall.draw(opening);
        const DrawnPart whole = hall.part("window");
        double sum = 0;
        constexpr int edge = 40, rgb = 3;
        for (int y = whole.height - edge; y < whole.height; ++y)
            for (int i = 0; i < whole.width * rgb; ++i) {
                const auto drawn = whole.bytes[static_cast<std::size_t>(y * whole.width * rgb + i)];
                const auto at = static_cast<std::size_t>((y / 2 * usual.here->width + i / rgb / 2) * rgb + i % rgb);
                sum += std::abs(int{drawn} - int{usual.here->rgb[at]});
            }
        apart.push_back(sum);
    }
    EXPECT_LT(apart[1], 0.7 * apart[0]);

    screen.tap("presenter.next_stop");
    h.wait_until([&] { return !h.app->state().learning.playing; });
    screen.draw_stops();
    EXPECT_NE(screen.pictures.views().here, nullptr) << "a recording is the same everywhere";
}

TEST(Presenter, PicturesOfStopsFitEveryLanguageSizeAndTheme) {
    for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1920, 1080}})
        for (const char* const language : {"en", "ja", "ko"})
            for (const ThemeKind theme : {ThemeKind::dark, ThemeKind::light}) {
                Opening opening = Harness::with_image("cat");
                opening.state.settings.language = language;
                opening.state.settings.theme = theme;
                Harness h(std::move(opening), size);
                begin_lesson(h, "tour");
                PresenterScreen screen(h, size);
                screen.expect_readable(std::string(language) + " " + std::to_string(size.x));
                screen.presenter.show({.drawing = false});
                screen.frame(2);
                screen.expect_readable(std::string(language) + " without pictures");
                for (const auto& [picture, words] : {std::pair{"presenter.here_picture", "presenter.here"},
                                                     std::pair{"presenter.next_picture", "presenter.next_title"}}) {
                    const Rect rect = screen.item(picture).rect;
                    EXPECT_TRUE(screen.item(picture).visible) << picture;
                    EXPECT_GE(rect.width(), size.x * 0.2F) << picture;
                    EXPECT_LT(screen.item(words).rect.x1, rect.x0 + 1) << words;
                }
            }
}

TEST(Presenter, IsReadFromALectern) {
    Harness h;
    begin_lesson(h, "tour");
    PresenterScreen screen(h, {1920, 1080});
    constexpr float title_line = 45, heading_line = 33;  // pixels
    EXPECT_GE(screen.item("presenter.here").rect.height(), title_line);
    EXPECT_GE(screen.item("notes").rect.height(), title_line);
    for (const char* const id : {"presenter.next_title", "presenter.next_sentence", "presenter.next_question"})
        EXPECT_GE(screen.item(id).rect.height(), heading_line) << id;
}

TEST(Presenter, TheButtonThatPausesIsCalledPause) {
    Harness h;
    begin_lesson(h, "tour");
    PresenterScreen screen(h);
    screen.tap("presenter.next_stop");
    EXPECT_EQ(screen.item("presenter.play").text, "Play");
    h.change()->motion.playing = true;
    h.change()->motion.time = 0;
    screen.frame(2);
    ASSERT_TRUE(h.app->workspace().motion.playing);
    EXPECT_EQ(screen.item("presenter.play").text, "Pause");
}

TEST(Presenter, TheHallIsWarnedOfAPhotographOnlyWhereItIsShown) {
    const TestFolder folder;
    const std::filesystem::path photo = folder / "photo.ppm";
    std::ofstream(photo, std::ios::binary) << "P6 2 2 255\nabcdefghijkl";
    write(folder / "short.txt", "lesson: Short\nstep: image\nlearn: plain\n");
    Opening opening;
    opening.experiment.image.path = photo;
    Harness h(std::move(opening));
    h.app->ask(command::OpenLesson{(folder / "short.txt").string()});
    h.settle();
    h.frame(40);
    h.app->ask(command::OpenImage{{{}, photo}});
    h.settle();
    ASSERT_TRUE(h.app->state().lecture.on);
    EXPECT_TRUE(h.shows("lecture.foreign"));
    PresenterScreen screen(h);
    screen.tap("presenter.next_stop");
    ASSERT_EQ(h.app->state().room, "learn");
    EXPECT_FALSE(h.shows("lecture.foreign"));
}

TEST(Presenter, ItsButtonsLeadTheHall) {
    Harness h;
    begin_lesson(h, "tour");
    PresenterScreen screen(h);
    screen.tap("presenter.next_stop");
    EXPECT_EQ(h.focus().step, step_index("patches"));
    EXPECT_TRUE(h.app->workspace().motion.waits);
    screen.tap("presenter.play");
    EXPECT_FALSE(h.app->workspace().motion.waits);
    h.frame(90);
    EXPECT_EQ(h.app->workspace().motion, (Motion{1, false, false}));
    screen.tap("presenter.play");
    EXPECT_TRUE(h.app->workspace().motion.playing) << "it can be played again";
    h.frame(90);
    screen.tap("presenter.ask");
    EXPECT_TRUE(h.shows("lecture.question"));
    EXPECT_FALSE(h.shows("lecture.answer"));
    EXPECT_EQ(screen.item("presenter.sees").text, h.app->text()("presenter.sees.question"));
    screen.tap("presenter.answer");
    EXPECT_TRUE(h.shows("lecture.answer"));
    screen.tap("presenter.answer");
    EXPECT_FALSE(h.shows("lecture.alone"));
    screen.tap("presenter.black");
    EXPECT_TRUE(h.shows("lecture.black"));
    screen.tap("presenter.black");
    EXPECT_FALSE(h.shows("lecture.black"));
    screen.tap("presenter.back");
    EXPECT_EQ(h.focus().step, step_index("image"));
}

TEST(Presenter, ARemoteLeadsTheHallWhereverTheFocusIs) {
    Harness h;
    begin_lesson(h, "tour");
    PresenterScreen screen(h);
    screen.press(Key::page_down);
    EXPECT_EQ(h.focus().step, step_index("patches"));
    screen.press(Key::page_up);
    EXPECT_EQ(h.focus().step, step_index("image"));
    screen.press(Key::b);
    EXPECT_TRUE(h.shows("lecture.black"));
    screen.press(Key::b);
    screen.press(Key::w);
    EXPECT_FALSE(h.app->state().settings.presenter) << "the window that owns it closes it";
    screen.press(Key::f5);
    EXPECT_FALSE(h.app->state().lecture.on);
}

TEST(Presenter, NotesAreWrittenHereAndNeverOnThePicture) {
    Harness h;
    begin_lesson(h, "tour");
    PresenterScreen screen(h);
    screen.press(Key::n);
    EXPECT_FALSE(h.shows("lecture.notes"));
    screen.tap("notes.edit");
    screen.tap("notes.text");
    screen.type("Smile ");
    screen.tap("notes.edit");
    EXPECT_NE(screen.item("notes").text.find("Smile"), std::string::npos);
    EXPECT_NE(h.app->state().settings.notes.at("tour#1").find("Smile"), std::string::npos);
}

TEST(Presenter, TellsTheTimeOnceASecondAndWhatWasDoneAtOnce) {
    Harness h;
    begin_lesson(h, "tour");
    PresenterScreen screen(h);
    screen.frame();
    screen.presenter.refresh();
    EXPECT_TRUE(screen.presenter.busy());
    const TestFolder folder;
    write(folder / "short.txt",
          "lesson: Short\nstep: image\nminutes: 0.01\nlab: ledger\nminutes: 0.01\nlearn: plain\nminutes: 0.01\n");
    h.app->ask(command::OpenLesson{(folder / "short.txt").string()});
    h.settle();
    h.door().state.lecture.began -= std::chrono::seconds(5);
    screen.frame(2);
    EXPECT_NE(screen.item("presenter.used").text.find("over"), std::string::npos);
    EXPECT_EQ(screen.item("presenter.next_title").text, h.app->text()("lab.ledger.title"));
    screen.tap("presenter.next_stop");
    EXPECT_EQ(screen.item("presenter.here").text, h.app->text()("lab.ledger.title"));
    EXPECT_FALSE(screen.shows("presenter.question")) << "an instrument asks nothing";
    screen.tap("presenter.next_stop");
    EXPECT_EQ(screen.item("presenter.next_title").text, "");
}

TEST(Presenter, IsReadableInEveryLanguageSizeAndStep) {
    for (const ImVec2 size : {ImVec2{800, 500}, ImVec2{1280, 720}, ImVec2{1920, 1080}}) {
        Harness h;
        h.press(Key::l);
        h.frame(40);
        PresenterScreen screen(h, size);
        for (const char* const language : {"en", "ja", "ko"}) {
            h.change()->settings.language = language;
            for (const char* const step : {"image", "layer_norm", "attention_matrix", "explanation"}) {
                go_to(h, step);
                screen.frame(3);
                screen.expect_readable(std::string(step) + " in " + language + " at " + std::to_string(size.x));
                for (const char* const id : {"presenter.back", "presenter.play", "presenter.next_stop", "presenter.ask",
                                             "presenter.answer", "presenter.black"}) {
                    const Rect rect = screen.item(id).rect;
                    EXPECT_TRUE(rect.x0 >= 0 && rect.x1 <= size.x && rect.y1 <= size.y) << id;
                    EXPECT_GE(std::min(rect.width(), rect.height()), 60) << id << " is large enough for a finger";
                }
            }
        }
    }
}

TEST(Presenter, WordsTypedThereAreToldAndUndoneTogether) {
    Harness h;
    begin_lesson(h, "tour");
    PresenterScreen screen(h);
    const auto before = h.focus().scope;
    for (const Key letter : {Key::n, Key::s, Key::i, Key::c}) screen.press(letter);
    EXPECT_NE(h.app->state().notice.find("Letters are commands here"), std::string::npos) << h.app->state().notice;
    h.press(Key::z, Key::ctrl);
    EXPECT_EQ(h.focus().scope, before);
}

}  // namespace
}  // namespace vitrine
