#include "app/jobs/learning.h"
#include "app/rooms/learning/room.h"
#include "core/training/presets.h"
#include "tests/test_folder.h"
#include "tests/ui/experiments.h"

// Runs that are put aside in Train, and are there again.

namespace vitrine {
namespace {

/// A window in which models of one's own, the smallest, are to learn.
Opening smallest() {
    Opening opening = Harness::with_image("cat");
    opening.state.room = "learn";
    opening.state.learning.choices[0].size = LearningSize::tiny;
    opening.state.learning.own = true;
    return opening;
}

/// One step of the runs that are shown; the loss after it.
double learn_a_step(Harness& h) {
    h.press(Key::period);
    h.wait_until([&] {
        const auto runs = runs_now(h);
        return !runs.empty() && runs[0].now && runs[0].now->report.step >= 1;
    });
    h.settle();
    return runs_now(h)[0].now->loss;
}

void watch_runs(Harness& h, const char* runs) {
    h.app->ask(command::WatchLearning{runs});
    h.settle();
}

/// Runs of one's own take their place again.
void back_to_own(Harness& h) {
    LearningState choice = learning_of(h);
    ASSERT_TRUE(has_kept(choice));
    go_back_to_own(choice);
    h.app->ask(command::ChangeLearning{to_json(choice)});
    h.settle();
}

/// The first run stands after one step, at this loss.
void expect_after_a_step(Harness& h, double loss) {
    const auto runs = runs_now(h);
    ASSERT_FALSE(runs.empty());
    ASSERT_TRUE(runs[0].now);
    EXPECT_EQ(runs[0].now->report.step, 1U);
    EXPECT_EQ(runs[0].now->loss, loss);
}

/// A window asks before it closes, and stays.
void expect_asks_before_it_closes(Harness& h) {
    EXPECT_FALSE(h.app->may_close()) << "what is out of sight would be lost";
    h.press(Key::escape);
    ASSERT_FALSE(h.shows("closing.save"));
}

TEST(Experiments, RunsOfPicturesAreThereAgainAfterTextsAndAnExperiment) {
    Harness h(smallest());
    const double loss = learn_a_step(h);
    h.app->ask(command::Do{"learn.sentiment"});
    h.settle();
    watch_runs(h, "norms");
    ASSERT_NE(experiment_of(learning_of(h)), nullptr);
    EXPECT_EQ(runs_now(h)[0].stage, RunStage::ready);
    expect_asks_before_it_closes(h);
    back_to_own(h);
    EXPECT_EQ(learning_of(h).choices[0].size, LearningSize::tiny);
    expect_after_a_step(h, loss);
}

TEST(Experiments, PlainRunsAreThereAgainThoughOthersOfOnesOwnAreKept) {
    Harness h(smallest());
    const double own = learn_a_step(h);
    watch_runs(h, "plain");
    const double plain = learn_a_step(h);
    watch_runs(h, "skips");
    EXPECT_EQ(runs_now(h)[0].stage, RunStage::ready);
    expect_asks_before_it_closes(h);
    watch_runs(h, "plain");
    expect_after_a_step(h, plain);
    back_to_own(h);
    EXPECT_EQ(learning_of(h).choices[0].size, LearningSize::tiny);
    expect_after_a_step(h, own);
    watch_runs(h, "plain");
    expect_after_a_step(h, plain);
}

TEST(Experiments, ASavedRunStaysSavedThoughTwoOthersFollowAtOnce) {
    const TestFolder own;
    Opening opening = smallest();
    opening.state.settings.model_folder = (own / "models").string();
    Harness h(std::move(opening));
    const double loss = learn_a_step(h);
    h.tap("learn.save.0");
    for (const char* const runs : {"skips", "norms"}) h.app->ask(command::WatchLearning{runs});
    h.settle();
    EXPECT_TRUE(h.app->may_close());
    back_to_own(h);
    expect_after_a_step(h, loss);
}

TEST(Experiments, TextsOfOnesOwnAreThereAgainAfterAnExperiment) {
    LearningState state;
    choose_runs(state, "sentiment");
    state.text.choices[0].blocks = state.text.choices[1].blocks = 3;
    const auto own = state.text.choices;
    for (const Preset<Texts>& preset : presets<Texts>())
        if (preset.a.task == TextTask::sentiment) choose_runs(state, preset.id);
    ASSERT_TRUE(has_kept(state));
    EXPECT_EQ(parse_learning(to_json(state)), state);
    go_back_to_own(state);
    EXPECT_TRUE(state.text.choices == own);
    EXPECT_FALSE(state.text.two);
}

}  // namespace
}  // namespace vitrine
