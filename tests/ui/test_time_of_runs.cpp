#include <algorithm>
#include <set>

#include "app/rooms/learning/curve_plot.h"
#include "app/rooms/learning/learning_view.h"
#include "app/rooms/learning/room.h"
#include "app/ui/text.h"
#include "core/training/presets.h"
#include "tests/ui/experiments.h"

// What Train says of the time that runs take.

namespace vitrine {
namespace {

TEST(Experiments, SayBeforeTheyBeginHowLongTheyTakeHereAndDeepOnesOfferTheirRecordingFirst) {
    for (const Preset<Pictures>& preset : presets<Pictures>()) {
        SCOPED_TRACE(preset.id);
        Harness h(experiment(preset.id));
        h.wait_until([&] { return h.shows("learn.expected") && h.item("learn.expected").value > 0; });
        const double seconds = h.item("learn.expected").value;
        EXPECT_EQ(seconds, *expected_seconds(runs_now(h)));
        const std::string words = h.item("learn.expected").text;
        EXPECT_NE(words.find(duration_text(h.app->text(), seconds)), std::string::npos) << words;
        const bool deep = recipe_of(preset.a).model.blocks > 4;
        EXPECT_EQ(is_deep(preset), deep);
        EXPECT_EQ(words.find(h.app->text()("learn.slow_recorded")) != std::string::npos, deep);
        EXPECT_EQ(h.item("learn.recorded_runs").value, deep) << "stands out";
        EXPECT_EQ(h.item("learn.start").value, !deep);
        for (const RunView<Pictures>& run : runs_now(h)) {
            EXPECT_EQ(run.stage, RunStage::ready) << "the measurement is none of the run's own steps";
            EXPECT_EQ(run.now->report.seen, 0U);
        }
    }
}

TEST(Experiments, AskForAStartOnlyBeforeTheyBegin) {
    Harness h(experiment("norms"));
    const auto asks = [&] {
        std::string all;
        for (const Probe::Words& words : h.app->probe().words()) all += words.text + " ";
        return all.find("both and compare") != std::string::npos;
    };
    EXPECT_TRUE(asks());
    h.press(Key::period);
    h.wait_until([&] { return runs_now(h)[0].now->report.step == 1; });
    h.frame(2);
    EXPECT_FALSE(asks());
}

TEST(Experiments, SayNothingOfTheTimeTheyTakeOnceTheyLearnOrAreRecorded) {
    Harness h(experiment("norms"));
    h.wait_until([&] { return h.shows("learn.expected"); });
    h.tap("learn.recorded_runs");
    EXPECT_FALSE(h.shows("learn.expected"));
    h.tap("learn.live");
    EXPECT_TRUE(h.shows("learn.expected"));
    h.press(Key::period);
    h.wait_until([&] { return runs_now(h)[0].now->report.step == 1; });
    h.frame(2);
    EXPECT_FALSE(h.shows("learn.expected"));
}

TEST(Experiments, OfTextsSayBeforeTheyBeginHowLongTheyTakeHere) {
    const auto runs = [](Harness& h) { return h.app->context().jobs().text_learning().latest(); };
    for (const Preset<Texts>& preset : presets<Texts>()) {
        SCOPED_TRACE(preset.id);
        Harness h(experiment(preset.id));
        h.wait_until([&] { return h.shows("learn.expected") && h.item("learn.expected").value > 0; });
        const double seconds = h.item("learn.expected").value, pace = learning_of(h).text.pace;
        EXPECT_EQ(seconds, *expected_seconds(runs(h), pace));
        EXPECT_GE(seconds, preset.a.sentences / runs(h)[0].recipe.batch / pace) << "it is slowed";
        const std::string words = h.item("learn.expected").text;
        EXPECT_NE(words.find(duration_text(h.app->text(), seconds)), std::string::npos) << words;
        h.press(Key::period);
        h.wait_until([&] { return runs(h)[0].now->report.step == 1; });
        h.frame(2);
        EXPECT_FALSE(h.shows("learn.expected")) << "it has begun";
    }
}

TEST(Experiments, RunsOfOnesOwnAreNotTimed) {
    for (const char* const own : {"plain", "sentiment"}) {
        Harness h(experiment(own));
        LearningState& state = h.door().state.learning;
        for (LearningChoice& choice : state.choices) choice.pictures = 4000;
        restart_runs(h.door());
        h.settle();
        EXPECT_FALSE(h.shows("learn.expected"));
        for (const RunView<Pictures>& run : runs_now(h)) EXPECT_FALSE(run.expected_pace) << "nothing is shown of it";
        for (const RunView<Texts>& run : h.app->context().jobs().text_learning().latest())
            EXPECT_FALSE(run.expected_pace);
    }
}

TEST(Experiments, TheTimeLeftHasItsUnits) {
    Harness h(experiment("norms"));
    h.press(Key::space);
    h.wait_until([&] { return runs_now(h)[0].examples_per_second > 0; });
    h.frame(2);
    const std::string words = h.item("learn.progress").text;
    h.press(Key::space);
    EXPECT_NE(words.find(" · about "), std::string::npos) << words;
    EXPECT_TRUE(words.ends_with(" s left") || words.ends_with(" min left") || words.ends_with(" h left")) << words;
}

TEST(Experiments, OfTextsSayTheTimeLeftToo) {
    Harness h(experiment("mask"));
    h.press(Key::period);
    const auto& learning = h.app->context().jobs().text_learning();
    h.wait_until([&] { return learning.latest()[0].now->report.step == 1; });
    h.press(Key::space);
    h.wait_until([&] { return learning.latest()[0].examples_per_second > 0; });
    h.frame(2);
    const std::string words = h.item("learn.progress").text;
    h.press(Key::space);
    EXPECT_TRUE(words.ends_with(" left")) << words;
}

TEST(Experiments, TheTimeLeftIsThatOfTheSlowestRunAndRoundedSoThatItIsSteady) {
    std::vector<RunView<Pictures>> both(2);
    RunView<Pictures>&a = both[0], &b = both[1];
    for (RunView<Pictures>& run : both) {
        run.recipe.promised_examples = 1000;
        run.stage = RunStage::running;
        run.progress = 0.5;
        run.examples_per_second = 10;
    }
    b.examples_per_second = 5;
    EXPECT_EQ(*seconds_left<Pictures>({a, b}), 100);
    b.stage = RunStage::done;
    EXPECT_EQ(*seconds_left<Pictures>({a, b}), 50);
    a.examples_per_second = 0;
    EXPECT_FALSE(seconds_left<Pictures>({a, b})) << "not known yet";
    a.recipe.promised_seconds = 60;
    EXPECT_EQ(*seconds_left<Pictures>({a, b}), 30);
    const Text text = load_text("en");
    for (const auto& [seconds, words] : {std::pair{2.0, "10 s"},
                                         {34.0, "30 s"},
                                         {38.0, "40 s"},
                                         {95.0, "2 min"},
                                         {178.0, "3 min"},
                                         {209.0, "3 min"},
                                         {4000.0, "1 h 10 min"}})
        EXPECT_EQ(rough_duration(text, seconds), words);
}

}  // namespace
}  // namespace vitrine
