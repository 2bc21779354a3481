#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "app/chapters/step.h"
#include "app/jobs/learning.h"
#include "app/lecture/lecture.h"
#include "app/ui/languages.h"
#include "tests/files.h"
#include "tests/test_folder.h"
#include "tests/ui/harness.h"

namespace vitrine {
namespace {

TEST(Lecture, SpaceFirstPlaysTheMotionThenGoesOnAndPageUpGoesBack) {
    Harness h;
    h.change().focus().step = step_index("patches");
    h.settle();
    h.frame(2);
    begin_lecture(h);
    h.change()->motion = {0, false};
    h.press(Key::space);
    EXPECT_EQ(h.focus().step, step_index("patches")) << "first what happens here";
    h.press(Key::space);
    EXPECT_EQ(h.app->workspace().motion.time, 1) << "a second press ends the motion";
    h.press(Key::space);
    EXPECT_EQ(h.focus().step, step_index("patch_embedding"));
    EXPECT_TRUE(h.app->workspace().motion.waits) << "the picture first";
    h.press(Key::page_up);
    EXPECT_EQ(h.focus().step, step_index("patches"));
}

TEST(Lecture, GoingOnGoesOnAtOnceWhateverWaitsToBePlayed) {
    Harness h;
    go_to(h, "patches");
    begin_lecture(h);
    for (const Key key : {Key::right, Key::page_down}) {
        const int step = h.focus().step;
        ASSERT_TRUE(h.shows("lecture.play"));
        h.press(key);
        EXPECT_EQ(h.focus().step, step + 1);
    }
    const int step = h.focus().step;
    ASSERT_TRUE(h.app->workspace().motion.waits);
    h.tap("lecture.on");
    EXPECT_EQ(h.focus().step, step + 1) << "and so does the button";
}

TEST(Lecture, WhatWasPlayedHasAButtonThatPlaysItAgain) {
    Harness h;
    go_to(h, "patches");
    begin_lecture(h);
    EXPECT_FALSE(h.shows("lecture.again")) << "it waits to be played the first time";
    h.tap("lecture.play");
    h.frame(90);
    EXPECT_EQ(h.app->workspace().motion, (Motion{1, false, false}));
    h.tap("lecture.again");
    EXPECT_TRUE(h.app->workspace().motion.playing);
    EXPECT_EQ(h.focus().step, step_index("patches"));
    h.expect_readable("a motion under way in a lecture");
}

/// The first stop of a lesson at which models are to learn.
void go_to_models_that_learn(Harness& h) {
    h.app->ask(command::OpenLesson{"normalisation"});
    h.settle();
    h.frame(40);
    const auto& stops = h.app->state().lecture.lesson->stops;
    const auto learn = std::find_if(stops.begin(), stops.end(), [](const auto& stop) { return stop.room == "learn"; });
    ASSERT_NE(learn, stops.end());
    while (h.app->state().lecture.stop < learn - stops.begin()) h.tap("lecture.on");
    h.frame(40);
}

TEST(Lecture, ModelsThatAreToLearnHaveAButtonThatStartsThem) {
    Harness h;
    go_to_models_that_learn(h);
    EXPECT_TRUE(h.item("lecture.play").text.starts_with(h.app->text()("learn.start") + "  (")) << "with its key";
    h.expect_readable("models that are to learn, in a lecture");
    h.tap("lecture.play");
    EXPECT_TRUE(h.app->context().jobs().learning().running());
    h.wait_until([&] { return !h.shows("lecture.play"); });
}

TEST(Lecture, ARecordingIsReadableInALowHallInAnyLanguage) {
    const TestFolder folder;
    const std::filesystem::path file = folder / "train.txt";
    std::ofstream(file) << "lesson: Train\nlearn: norms\nstep: mlp\n";
    Harness h(Harness::with_image("cat"), {1280, 720});
    h.app->ask(command::OpenLesson{file.string()});
    h.settle();
    h.frame(40);
    h.tap("lecture.recorded_runs");
    h.change()->learning.played = 1;
    for (const std::string& language : language_codes()) {
        h.change()->settings.language = language;
        h.frame(5);
        EXPECT_TRUE(h.shows("learn.flow.0"));
        h.expect_readable(language);
    }
}

TEST(Lecture, TheMousePausesTrainingContinuesItAndPlaysItsRecording) {
    const TestFolder folder;
    const std::filesystem::path file = folder / "train.txt";
    std::ofstream(file) << "lesson: Train\nlearn: skips\nstep: mlp\n";
    Harness h(Harness::with_image("cat"), {1280, 720});
    h.app->ask(command::OpenLesson{file.string()});
    h.settle();
    h.frame(40);
    const auto& learning = h.app->context().jobs().learning();
    h.tap("lecture.play");
    EXPECT_TRUE(learning.running());
    h.wait_until([&] { return h.shows("lecture.again"); });
    h.tap("lecture.again");
    EXPECT_FALSE(learning.running());
    h.wait_until([&] { return h.shows("lecture.again"); });
    h.tap("lecture.again");
    EXPECT_TRUE(learning.running()) << "it continues";
    EXPECT_EQ(h.app->state().lecture.stop, 0);
    h.expect_readable("models in training, in a lecture");
    h.tap("lecture.recorded_runs");
    EXPECT_TRUE(h.app->state().learning.recorded);
    EXPECT_FALSE(learning.running());
    const std::string live = h.app->text()("learn.back_to_live");
    EXPECT_EQ(h.app->state().notice, h.app->text()("learn.paused_for_recording", {{"live", live}}));
    EXPECT_TRUE(h.shows("lecture.again")) << "it plays and pauses";
    h.expect_readable("a recording, in a lecture");
    EXPECT_EQ(h.item("lecture.recorded_runs").text, h.app->text()("learn.back_to_live"));
    h.tap("lecture.recorded_runs");
    EXPECT_FALSE(h.app->state().learning.recorded);
    h.press(Key::l);
    h.frame(40);
    EXPECT_FALSE(h.shows("lecture.recorded_runs")) << "the panel has it";
}

TEST(Lecture, TheMouseStartsTrainingWithoutALessonToo) {
    Harness h(Harness::with_image("cat"), {1280, 720});
    h.app->ask(command::WatchLearning{"skips"});
    h.settle();
    begin_lecture(h);
    h.wait_until([&] { return h.shows("lecture.play"); });
    h.expect_readable("models that are to learn, in a lecture without a lesson");
    h.tap("lecture.play");
    EXPECT_TRUE(h.app->context().jobs().learning().running());
    h.wait_until([&] { return h.shows("lecture.again"); });
    h.tap("lecture.again");
    EXPECT_FALSE(h.app->context().jobs().learning().running());
    h.tap("lecture.leave");
    EXPECT_FALSE(h.app->state().lecture.on);
}

TEST(Lecture, SpaceStartsModelsThatAreStillBeingPreparedAndSkipsNoStop) {
    Harness h;
    go_to_models_that_learn(h);
    const int stop = h.app->state().lecture.stop;
    h.app->ask(command::Do{"learn.reset"});
    h.app->ask(command::Do{"lecture.play_then_next"});
    h.frame(2);
    EXPECT_EQ(h.app->state().lecture.stop, stop);
    EXPECT_TRUE(h.app->context().jobs().learning().running());
}

TEST(Lecture, SpaceStartsModelsThatTakeThePlaceOfOthersThatHadBegun) {
    Harness h;
    go_to_models_that_learn(h);
    const int stop = h.app->state().lecture.stop;
    h.tap("lecture.play");
    h.wait_until([&] { return !h.shows("lecture.play"); });
    h.app->ask(command::Do{"learn.reset"});
    h.app->ask(command::Do{"lecture.play_then_next"});
    h.frame(2);
    EXPECT_EQ(h.app->state().lecture.stop, stop);
    EXPECT_TRUE(h.app->context().jobs().learning().running());
}

TEST(Lecture, AStepArrivesFinishedAndSpacePlaysItFromTheBeginning) {
    Harness h;
    h.change().focus().step = step_index("image");
    h.settle();
    begin_lecture(h);
    go_to(h, "image");
    h.app->ask(command::GoToChapter{"layer_norm"});
    h.frame(3);
    EXPECT_EQ(h.app->workspace().motion, (Motion{1, false, true})) << "finished and labelled";
    EXPECT_TRUE(h.shows("lecture.play")) << "and the hall's lecturer sees that there is something to play";
    h.input.key(glfw_number(Key::space), true);
    h.input.key(glfw_number(Key::space), false);
    h.frame(3);
    EXPECT_TRUE(h.app->workspace().motion.playing);
    EXPECT_LT(h.app->workspace().motion.time, 0.2F) << "from the beginning";
    EXPECT_FALSE(h.shows("lecture.play"));
    h.frame(90);
    EXPECT_EQ(h.app->workspace().motion, (Motion{1, false, false}));
    h.press(Key::space);
    EXPECT_EQ(h.focus().step, step_index("layer_norm") + 1);
}

TEST(Lecture, TheFirstStopWaitsToBePlayedToo) {
    Harness h;
    go_to(h, "patches");
    h.change()->motion = {1, false};
    ASSERT_FALSE(h.app->workspace().motion.waits);
    begin_lecture(h);
    EXPECT_TRUE(h.app->workspace().motion.waits);
    h.press(Key::space);
    EXPECT_EQ(h.focus().step, step_index("patches"));
}

TEST(Lecture, MotionsPlayByThemselvesOnceWhereItIsSetSo) {
    Harness h;
    h.change()->settings.plays = true;
    h.app->ask(command::GoToChapter{"residual"});
    h.frame(3);
    EXPECT_TRUE(h.app->workspace().motion.playing);
    EXPECT_LT(h.app->workspace().motion.time, 0.2F);
    h.frame(90);
    EXPECT_EQ(h.app->workspace().motion, (Motion{1, false, false}));
    h.frame(30);
    EXPECT_FALSE(h.app->workspace().motion.playing) << "once";
}

TEST(Lecture, TheMouseLeadsThroughItToo) {
    Harness h;
    go_to(h, "patches");
    begin_lecture(h);
    h.tap("lecture.on");
    EXPECT_EQ(h.focus().step, step_index("patch_embedding"));
    h.tap("lecture.back");
    EXPECT_EQ(h.focus().step, step_index("patches"));
    h.tap("lecture.leave");
    EXPECT_FALSE(h.app->state().lecture.on) << "the way out is in sight";
}

TEST(Lecture, TheKeysOfARemoteLeadThroughIt) {
    Harness h;
    go_to(h, "patch_embedding");
    h.press(Key::f5);
    h.frame(40);
    EXPECT_TRUE(h.app->state().lecture.on);
    h.press(Key::page_up);
    EXPECT_EQ(h.focus().step, step_index("patches"));
    h.press(Key::page_down);
    EXPECT_EQ(h.focus().step, step_index("patch_embedding"));
    for (const Key key : {Key::period, Key::b}) {
        h.press(key);
        EXPECT_TRUE(h.shows("lecture.black"));
        h.press(key);
        EXPECT_FALSE(h.shows("lecture.black"));
    }
    h.press(Key::escape);
    EXPECT_FALSE(h.app->state().lecture.on);
}

/// Goes through all stops of the open lesson; where something is changed, the strip shows the answer before and after.
void expect_predictions(Harness& h, const std::string& where) {
    const auto count = static_cast<int>(h.app->state().lecture.lesson->stops.size());
    for (int stop = 0; stop < count; ++stop) {
        if (stop > 0) h.carry_out(command::Do{"lecture.next_stop"});
        h.settle();
        h.frame(40);
        ASSERT_EQ(h.app->state().lecture.stop, stop);
        const LessonStop& now = h.app->state().lecture.lesson->stops[static_cast<std::size_t>(stop)];
        const std::string at = where + ", " + now.room + " " + now.id;
        const TextExperiment& text = h.app->workspace().text_experiment;
        const bool of_text = now.room == "text";
        if (of_text ? text.what_ifs.empty() && text.swap.place < 0 : h.what_ifs().empty()) continue;
        if (of_text) {  // a text is below its figure, with the one before
            EXPECT_TRUE(h.shows("lecture.prediction") || h.shows("lecture.said.0")) << at;
            continue;
        }
        EXPECT_TRUE(h.shows("lecture.prediction")) << at << ": " << h.item("lecture.changed").text;
        if (!h.shows("lecture.prediction")) continue;
        EXPECT_NE(h.item("lecture.prediction").text.find("→"), std::string::npos) << at;
        h.expect_readable(at);
    }
}

TEST(Lecture, ThePredictionBeforeAndAfterIsAtEveryStopOfEveryLessonThatChangesSomething) {
    for (const std::string& lesson : bundled_lessons()) {
        Harness h(Harness::with_image("cat"), {1280, 720});
        h.app->ask(command::OpenLesson{lesson});
        h.settle();
        h.app->take_in(arrival::FullScreen{true});
        expect_predictions(h, lesson);
    }
}

TEST(Lecture, ThePredictionBeforeAndAfterIsAtEveryChapterBesideALongTitle) {
    const TestFolder folder;
    std::string words = "lesson: What the order of the patches is worth, in one hour\n";
    for (const Step& step : curriculum())
        words += "\nstep: " + std::string(step.id) + "\nwhat-if: positions, shuffle, head:2.1\n";
    write(folder / "long.lesson", words);
    for (const std::string& language : language_codes()) {
        Opening opening = Harness::with_image("cat");
        opening.state.settings.language = language;
        Harness h(std::move(opening), {1280, 720});
        h.app->ask(command::OpenLesson{(folder / "long.lesson").string()});
        h.settle();
        expect_predictions(h, language);
    }
}

}  // namespace
}  // namespace vitrine
