#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <thread>
#include <utility>

#include "app/jobs/learning.h"
#include "app/jobs/picture_observer.h"
#include "app/jobs/run_checkpoint.h"
#include "app/rooms/learning/learning_state.h"
#include "core/base/error.h"
#include "core/training/runs/run_file.h"
#include "tests/eventually.h"

namespace vitrine {
namespace {

Recipe tiny_recipe() {
    Recipe r = recipe_of({.size = LearningSize::tiny});
    r.batch = 8;
    return r;
}

TEST(LearningJob, ShowsAnUntrainedModelAtOnceAndTakesSingleSteps) {
    Learning<Pictures> worker;
    worker.set({tiny_recipe()});
    worker.wait();
    ASSERT_EQ(worker.latest().size(), 1U);
    const RunView<Pictures> before = worker.latest()[0];
    ASSERT_TRUE(before.now);
    EXPECT_EQ(before.stage, RunStage::ready);
    EXPECT_EQ(before.now->report.seen, 0U);
    EXPECT_EQ(before.now->attention.size(), 6U * 3 * 3 * 64);
    for (std::size_t row = 0; row < 6U * 3 * 3; ++row) {
        float sum = 0;
        for (std::size_t i = 0; i < 64; ++i) sum += before.now->attention[row * 64 + i];
        EXPECT_NEAR(sum, 1, 1e-4);
    }
    worker.step();
    worker.wait();
    const RunView<Pictures> after = worker.latest()[0];
    EXPECT_EQ(after.now->report.step, 1U);
    EXPECT_EQ(after.stage, RunStage::paused);
    EXPECT_FALSE(worker.running());
    EXPECT_NE(after.now->model->weights.blocks[0].query.weight.stored()(0),
              before.now->model->weights.blocks[0].query.weight.stored()(0))
        << "a moment keeps its own weights";
    for (const BlockFlow& flow : after.now->blocks) {
        EXPECT_GE(flow.gradient_norm, 0);
        EXPECT_GT(flow.weight_norm, 0);
        float sum = 0;
        for (const float share : flow.gradients) sum += share;
        EXPECT_NEAR(sum, 1, 1e-4);
    }
}

TEST(LearningJob, ARunContinuesInAnotherWindowWithTheSameBitsCurveAndNumbers) {
    Recipe recipe = tiny_recipe();
    recipe.promised_seconds.reset();
    recipe.promised_examples = 10 * 8;
    recipe.distinct_pictures = 64;
    Learning<Pictures> undisturbed;
    undisturbed.set({recipe});
    undisturbed.start();
    ASSERT_TRUE(eventually([&] { return undisturbed.latest().size() == 1 && undisturbed.latest()[0].over(); }));
    RunView<Pictures> left;
    {
        Learning<Pictures> killed;
        killed.set({recipe});
        killed.wait();
        EXPECT_FALSE(killed.latest()[0].checkpoint) << "nothing learned yet";
        for (int i = 0; i < 4; ++i) {
            killed.step();
            killed.wait();
        }
        left = killed.latest()[0];
        ASSERT_TRUE(left.checkpoint);
        EXPECT_FALSE(left.restored);
    }
    Learning<Pictures> again;
    again.set({recipe}, {left.checkpoint});
    EXPECT_EQ(again.checkpoints(), std::vector{left.checkpoint}) << "also while it is prepared";
    again.wait();
    EXPECT_TRUE(again.take_failure().empty());
    const RunView<Pictures> back = again.latest()[0];
    EXPECT_EQ(back.checkpoint, left.checkpoint) << "nothing is lost if this window is killed at once";
    EXPECT_EQ(back.restored, 4U);
    ASSERT_EQ(back.now->blocks.size(), left.now->blocks.size());
    for (std::size_t l = 0; l < back.now->blocks.size(); ++l) {
        EXPECT_GT(back.now->blocks[l].gradient_norm, 0);
        EXPECT_EQ(back.now->blocks[l].gradient_norm, left.now->blocks[l].gradient_norm);
        EXPECT_EQ(back.now->blocks[l].gradients, left.now->blocks[l].gradients);
    }
    EXPECT_EQ(back.stage, RunStage::paused);
    EXPECT_EQ(back.now->report.step, 4U);
    EXPECT_EQ(back.progress, 0.4);
    EXPECT_EQ(back.curve->seen.size(), 4U);
    again.start();
    ASSERT_TRUE(eventually([&] { return again.latest()[0].over(); }));
    const RunView<Pictures> whole = undisturbed.latest()[0], parts = again.latest()[0];
    EXPECT_EQ(parts.now->report.step, whole.now->report.step);
    EXPECT_EQ(parts.now->loss, whole.now->loss);
    EXPECT_EQ(parts.curve->loss, whole.curve->loss);
    EXPECT_EQ(parts.curve->unseen, whole.curve->unseen);
    EXPECT_EQ(parts.now->probabilities, whole.now->probabilities);
    again.set({recipe}, {std::make_shared<const std::string>("no run")});
    again.wait();
    EXPECT_EQ(again.latest()[0].stage, RunStage::ready) << "what cannot be read begins anew";
    EXPECT_FALSE(again.latest()[0].restored);
    EXPECT_NE(again.take_failure().find("the run that was kept"), std::string::npos) << "and is told";
    EXPECT_TRUE(again.take_failure().empty()) << "once";
}

TEST(LearningJob, AKeptRunContinuesWithItsNumberOfThreadsAndIsRefusedWholeWhereItDoesNotFit) {
    Recipe recipe = tiny_recipe();
    recipe.promised_seconds.reset();
    recipe.promised_examples = 10 * 8;
    LiveRun<Pictures> run(recipe, 3);
    run.step();
    const RunProgress progress = progress_in(*checkpoint_of(run));
    const auto changed = [&](const char* place, const nlohmann::json& value) {
        auto window = nlohmann::json::parse(progress.window);
        window["promised_examples"] = 20 * 8;
        window[nlohmann::json::json_pointer(place)] = value;
        RunProgress other = progress;
        other.window = window.dump();
        return std::make_shared<const std::string>(run_bytes(run.trainer, other));
    };
    const auto back = continued_run<Pictures>(recipe, changed("/stage", "done"));
    EXPECT_EQ(back->threads, 3);
    EXPECT_EQ(back->stage, RunStage::done);
    EXPECT_EQ(back->recipe.promised_examples, 160U);
    const std::pair<const char*, nlohmann::json> misfits[] = {{"/curve/loss", {1, 2, 3}},
                                                              {"/curve/accuracy", nlohmann::json::array()},
                                                              {"/curve/checked", {8}},
                                                              {"/curve/training", {0.5}},
                                                              {"/curve/attention", {0.5}},
                                                              {"/curve", 3},
                                                              {"/promised_examples", 0},
                                                              {"/promised_examples", -8},
                                                              {"/promised_examples", {}},
                                                              {"/promised_seconds", 8},
                                                              {"/seconds", {}},
                                                              {"/seconds", -1},
                                                              {"/next_point", 0.5},
                                                              {"/next_check", -1},
                                                              {"/stage", "unheard of"},
                                                              {"/inside", nlohmann::json::array()},
                                                              {"/inside/0/gradients", {1, 2}}};
    for (const auto& [place, value] : misfits)
        EXPECT_THROW(continued_run<Pictures>(recipe, changed(place, value)), Error) << place << " " << value;
    RunProgress nested = progress;
    nested.window = std::string(500'000, '[') + std::string(500'000, ']');
    EXPECT_THROW(continued_run<Pictures>(recipe, std::make_shared<const std::string>(run_bytes(run.trainer, nested))),
                 Error);
    Learning<Pictures> worker;
    worker.set({recipe}, {changed("/next_point", 0.5)});
    worker.wait();
    EXPECT_EQ(worker.latest()[0].recipe.promised_examples, 80U) << "nothing of what is refused is taken";
}

TEST(LearningJob, TwoRunsSeeEquallyManyPicturesAndPauseHolds) {
    Learning<Pictures> worker;
    Recipe other = tiny_recipe();
    other.model.norm = Norm::after;
    worker.set({tiny_recipe(), other});
    worker.wait();
    worker.start();
    ASSERT_TRUE(eventually([&] { return worker.latest()[1].now->report.step >= 10; }));
    EXPECT_TRUE(worker.running());
    worker.pause();
    worker.wait();
    const auto runs = worker.latest();
    EXPECT_EQ(runs[0].now->report.step, runs[1].now->report.step);
    EXPECT_EQ(runs[0].stage, RunStage::paused);
    EXPECT_GT(runs[0].curve->seen.size(), 5U);
    EXPECT_GT(runs[0].kept.size(), 1U);
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    EXPECT_EQ(worker.latest()[0].now->report.step, runs[0].now->report.step);
}

TEST(LearningJob, MeasuresARunOfFewPicturesOnItsOwnAndOnFreshOnes) {
    Learning<Pictures> worker;
    Recipe few = tiny_recipe();
    few.model.image_height = few.model.image_width = 16;
    few.batch = 32;
    few.distinct_pictures = 32;
    few.promised_seconds.reset();
    few.promised_examples = 32 * 10;
    worker.set({few});
    worker.start();
    ASSERT_TRUE(eventually([&] { return !worker.latest().empty() && worker.latest()[0].stage == RunStage::done; }));
    const LearningCurve& curve = *worker.latest()[0].curve;
    EXPECT_EQ(curve.checked, (std::vector<double>{256, 320})) << "soon, and at the end";
    EXPECT_EQ(curve.training.size(), 2U);
    EXPECT_EQ(curve.unseen.size(), 2U);
}

TEST(LearningJob, KeepsTheCurvesAloneOfMoreThanTwoRuns) {
    Learning<Pictures> worker;
    std::vector<Recipe> many(3, tiny_recipe());
    many[1].net = Net::cnn;
    worker.set(many);
    worker.step();
    worker.wait();
    ASSERT_EQ(worker.latest().size(), 3U);
    for (const RunView<Pictures>& run : worker.latest()) {
        EXPECT_EQ(run.now->report.step, 1U);
        EXPECT_FALSE(run.now->model);
    }
}

TEST(LearningJob, EndsWithItsPromisedTimeAndSaysSo) {
    Learning<Pictures> worker;
    Recipe r = tiny_recipe();
    r.promised_seconds = 0.3;
    worker.set({r});
    worker.start();
    ASSERT_TRUE(eventually([&] { return !worker.latest().empty() && worker.latest()[0].stage == RunStage::done; }));
    EXPECT_EQ(worker.latest()[0].progress, 1);
    EXPECT_TRUE(eventually([&] { return !worker.running(); }));
}

TEST(LearningJob, TellsOfARunThatBlowsUp) {
    Learning<Pictures> worker;
    Recipe r = tiny_recipe();
    r.model.norm = Norm::none;
    r.learning_rate = 10;
    r.warm_up = 0;
    r.weight_decay = 0;
    worker.set({r});
    worker.start();
    EXPECT_TRUE(eventually([&] { return !worker.latest().empty() && worker.latest()[0].stage == RunStage::diverged; }));
}

TEST(LearningJob, KeepsAHundredMomentsFromTheFirstOn) {
    Learning<Pictures> worker;
    Recipe r = tiny_recipe();
    r.model.image_height = r.model.image_width = 16;
    r.model.blocks = 1;
    r.optimiser = Optimiser::adamw;
    worker.set({r});
    worker.wait();
    for (int i = 0; i < 300; ++i) {
        worker.step();
        worker.wait();
    }
    const auto kept = worker.latest()[0].kept;
    EXPECT_LE(kept.size(), 121U);
    EXPECT_EQ(kept.front()->report.step, 0U);
    for (std::size_t i = 1; i < kept.size(); ++i) EXPECT_GT(kept[i]->report.step, kept[i - 1]->report.step);
}

TEST(LearningJob, TheNewestRunsReplaceThoseBeforeThemAtOnce) {
    Learning<Pictures> learning;
    Recipe other = tiny_recipe();
    other.batch = 4;
    learning.set({tiny_recipe(), tiny_recipe()});
    learning.start();
    learning.set({other});
    learning.start();
    ASSERT_TRUE(eventually([&] { return learning.latest().size() == 1 && learning.latest()[0].now->report.step > 2; }));
    EXPECT_EQ(learning.latest()[0].recipe.batch, 4);
    EXPECT_EQ(learning.latest()[0].kept.front()->report.step, 0U) << "the untrained model is kept";
}

TEST(LearningJob, RunsThatAreBeingPreparedDoNotLearnYet) {
    Learning<Pictures> learning;
    const Recipe deep = recipe_of({.size = LearningSize::deep});
    learning.set({deep, deep});
    EXPECT_FALSE(learning.running()) << "nobody started them";
    learning.start();
    EXPECT_TRUE(learning.running());
    learning.set({tiny_recipe()});
    EXPECT_FALSE(learning.running()) << "others take their place";
    learning.wait();
    EXPECT_EQ(learning.latest()[0].stage, RunStage::ready);
}

TEST(LearningJob, RunsThatWereNeverThereAreNotPutAsideAsThoseBeforeThem) {
    Learning<Pictures> learning;
    const Recipe slow = recipe_of({.size = LearningSize::deep});
    learning.set({slow});
    learning.start();
    ASSERT_TRUE(eventually([&] { return !learning.latest().empty() && learning.latest()[0].now->report.step > 0; }));
    learning.put_aside();  // it was saved
    Recipe next = tiny_recipe();
    next.batch = 4;
    learning.set({next});
    for (const RunView<Pictures>& run : learning.latest())
        EXPECT_EQ(run.now->report.step, 0U) << "what is left is not shown";
    learning.put_aside(learning.latest());
    learning.set({tiny_recipe()});
    learning.wait();
    EXPECT_TRUE(learning.unsaved_aside().empty());
    EXPECT_FALSE(learning.bring_back({next})) << "it never began";
    ASSERT_TRUE(learning.bring_back({slow}));
    learning.wait();
    ASSERT_EQ(learning.latest().size(), 1U);
    EXPECT_GT(learning.latest()[0].now->report.step, 0U);
}

TEST(LearningJob, ClosesWhileModelsLearn) {
    Recipe deep = recipe_of({.size = LearningSize::deep});
    deep.promised_seconds.reset();
    deep.promised_examples = 1'000'000'000'000;  // who waits for its end hangs
    Learning<Pictures> learning;
    learning.set({deep, deep});
    learning.start();
    EXPECT_TRUE(eventually([&] { return !learning.latest().empty() && learning.latest()[0].now->report.step > 0; }));
}

TEST(LearningJob, ARecipeThatCannotBeTrainedIsTold) {
    Learning<Pictures> learning;
    Recipe broken = tiny_recipe();
    broken.model.heads = 5;  // does not divide D
    learning.set({broken});
    learning.wait();
    EXPECT_FALSE(learning.take_failure().empty());
    EXPECT_TRUE(learning.take_failure().empty()) << "it is told once";
    EXPECT_TRUE(learning.latest().empty());
    EXPECT_FALSE(learning.running());
    learning.set({tiny_recipe()});
    learning.wait();
    EXPECT_EQ(learning.latest().size(), 1U);
}

TEST(LearningJob, NoExceptionEndsItsThread) {
    std::function<void()> thrower;
    Learning<Pictures> learning([&] {
        if (thrower) std::exchange(thrower, nullptr)();
    });
    learning.set({tiny_recipe()});
    learning.wait();
    const std::vector<std::function<void()>> all = {
        [] { throw std::runtime_error("no luck"); },
        [] { throw std::filesystem::filesystem_error("no luck", std::make_error_code(std::errc::io_error)); },
        [] { throw std::bad_alloc(); },
        [] { throw 42; },
    };
    for (std::size_t i = 0; i < all.size(); ++i) {
        thrower = all[i];
        learning.step();
        learning.wait();
        EXPECT_FALSE(learning.take_failure().empty()) << i;
        EXPECT_FALSE(learning.running());
        learning.step();
        learning.wait();
        EXPECT_TRUE(learning.take_failure().empty());
        EXPECT_EQ(learning.latest()[0].now->report.step, 2 * (i + 1)) << "the run goes on where it was";
        EXPECT_EQ(learning.latest()[0].stage, RunStage::paused);
    }
}

TEST(LearningState, ChoicesBecomeRecipesThatCanBeTrained) {
    for (const LearningSize size : {LearningSize::tiny, LearningSize::standard, LearningSize::deep})
        for (const Norm norm : {Norm::before, Norm::after, Norm::none}) {
            const Recipe r = recipe_of({.size = size, .norm = norm, .skips = false, .dropout = 0.2F, .minutes = 1});
            EXPECT_NO_THROW(check(r));
            EXPECT_EQ(r.promised_seconds, 60);
            EXPECT_EQ(r.model.norm, norm);
        }
    const Recipe book = recipe_of({.scenes = Scenes::picturebook});
    EXPECT_NO_THROW(check(book));
    EXPECT_EQ(book.pictures.scenes, Scenes::picturebook);
    EXPECT_EQ(book.model.labels, picture_classes(false, Scenes::picturebook));
    const Recipe few = recipe_of({.distinct = 256, .minutes = 1, .pictures = 5000});
    EXPECT_EQ(few.distinct_pictures, 256U);
    EXPECT_EQ(few.promised_examples, 5000U);
    EXPECT_FALSE(few.promised_seconds);
    LearningState state;
    EXPECT_EQ(state.recipes().size(), 1U);
    state.two = true;
    EXPECT_EQ(state.recipes().size(), 2U);
    choose_runs(state, "nets");
    EXPECT_EQ(state.recipes().size(), 8U);
    EXPECT_EQ(parse_learning(to_json(state)), state);
    choose_runs(state, "dropout");
    ASSERT_EQ(state.recipes().size(), 2U);
    for (const Recipe& r : state.recipes()) EXPECT_TRUE(r.distinct_pictures && r.promised_examples);
    EXPECT_EQ(parse_learning(to_json(state)), state);
    EXPECT_THROW(parse_learning("{}"), Error);
    const std::string deep = std::string(500000, '[') + std::string(500000, ']');
    EXPECT_THROW(parse_learning(R"({"choices":)" + deep + "}"), Error) << "and does not end the program";
}

TEST(PausedRuns, ThoseThatNobodySavedAreNeverLetGoOf) {
    PausedRuns<Pictures, int> aside(2);
    const auto recipes = [](int seed) {
        Recipe recipe;
        recipe.seed = static_cast<std::uint64_t>(seed);
        return std::make_shared<const std::vector<Recipe>>(std::vector{recipe});
    };
    aside.put(recipes(1), {});
    aside.put(recipes(2), {2});
    aside.put(recipes(3), {3});
    EXPECT_EQ(aside.take(*recipes(1)), nullptr) << "it was saved, and makes room";
    aside.put(recipes(4), {4});
    aside.put(recipes(5), {});
    EXPECT_EQ(aside.all().size(), 4U) << "the newest stays, saved or not";
    aside.put(recipes(6), {6});
    EXPECT_EQ(aside.take(*recipes(5)), nullptr);
    EXPECT_EQ(aside.unsaved(), (std::vector<int>{2, 3, 4, 6}));
    EXPECT_NE(aside.take(*recipes(2)), nullptr);
    EXPECT_EQ(aside.all().size(), 3U);
}

TEST(LearningJob, TimesRunsOfPromisedPicturesAsideBeforeTheyBegin) {
    Learning<Pictures> worker;
    Recipe counted = tiny_recipe();
    counted.promised_seconds.reset();
    counted.promised_examples = 4000;
    worker.set({tiny_recipe(), counted});
    worker.wait();
    std::vector<RunView<Pictures>> runs = worker.latest();
    EXPECT_FALSE(runs[1].expected_pace) << "nobody asks how long it takes";
    worker.time_aside(true);
    worker.wait();
    runs = worker.latest();
    EXPECT_FALSE(runs[0].expected_pace) << "it says itself how long it takes";
    ASSERT_TRUE(runs[1].expected_pace);
    EXPECT_GT(*runs[1].expected_pace, 0);
    EXPECT_FALSE(expected_seconds(runs));
    EXPECT_EQ(runs[1].now->report.seen, 0U);
    EXPECT_NEAR(*expected_seconds<Pictures>({runs[1], runs[1]}), 2 * 4000 / *runs[1].expected_pace, 1e-6);
    EXPECT_FALSE(expected_seconds<Pictures>({}));
    worker.step();
    worker.wait();
    runs = worker.latest();
    EXPECT_EQ(runs[1].now->report.step, 1U);

    Learning<Pictures> other;  // the same run, whether or not it was timed before
    other.set({tiny_recipe(), counted});
    other.step();
    other.wait();
    EXPECT_EQ(other.latest()[1].now->report.loss, runs[1].now->report.loss);
}

}  // namespace
}  // namespace vitrine
