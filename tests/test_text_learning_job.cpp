#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

#include "app/jobs/kept_moments.h"
#include "app/jobs/learning.h"
#include "core/text/typed_words.h"
#include "core/training/text/text_choice.h"
#include "tests/eventually.h"

namespace vitrine {
namespace {

TextRecipe short_recipe(TextTask task, int sentences = 640) {
    TextChoice c = usual_choice(task);
    c.sentences = sentences;
    return recipe_of(c);
}

bool is(const Learning<Texts>& worker, RunStage stage) {
    const auto runs = worker.latest();
    return !runs.empty() && runs[0].stage == stage;
}

/// What every text that is looked at gives, whatever was learned: rows that are attention.
void expect_rows(const SaidText& said) {
    ASSERT_EQ(said.attention.size(), said.queries.size() * said.keys.size());
    for (std::size_t q = 0; q < said.queries.size(); ++q) {
        float sum = 0;
        for (std::size_t k = 0; k < said.keys.size(); ++k) sum += said.attention[q * said.keys.size() + k];
        EXPECT_NEAR(sum, 1, 1e-3) << said.queries[q];
    }
}

TEST(TextLearningJob, ShowsAnUntrainedModelOfEachTaskAtOnceAndTakesSingleSteps) {
    for (const auto& [task, name] : text_task_names) {
        Learning<Texts> worker;
        worker.set({short_recipe(task)});
        worker.wait();
        ASSERT_EQ(worker.latest().size(), 1U) << name;
        const RunView<Texts> before = worker.latest()[0];
        EXPECT_EQ(before.stage, RunStage::ready);
        EXPECT_EQ(before.now->report.step, 0U);
        EXPECT_EQ(before.now->said.size(), text_samples(task, TextLanguage::japanese).size());
        for (const SaidText& said : before.now->said) expect_rows(said);
        worker.step();
        worker.wait();
        const RunView<Texts> after = worker.latest()[0];
        EXPECT_EQ(after.now->report.step, 1U);
        EXPECT_EQ(after.stage, RunStage::paused);
        EXPECT_EQ(after.curve->checked, std::vector<double>{64}) << "what stands still is measured";
        for (const SaidText& said : after.now->said) expect_rows(said);
        EXPECT_NE(after.now->model->weights.generator.weight(0), before.now->model->weights.generator.weight(0))
            << "a moment keeps its own weights";
    }
}

TEST(TextLearningJob, AContinuedRunShowsTheHeadThatWasFound) {
    const TextRecipe recipe = short_recipe(TextTask::sentiment);
    Learning<Texts> killed, again;
    killed.set({recipe});
    killed.step();
    killed.wait();
    const RunView<Texts> left = killed.latest()[0];
    again.set({recipe}, {left.checkpoint});
    again.wait();
    const RunView<Texts> back = again.latest()[0];
    EXPECT_EQ(back.restored, 1U);
    EXPECT_GT(back.now->head.count, 0);
    EXPECT_EQ(back.now->head.block, left.now->head.block);
    EXPECT_EQ(back.now->head.head, left.now->head.head);
    EXPECT_EQ(back.now->head.mass, left.now->head.mass);
    for (std::size_t i = 0; i < back.now->said.size(); ++i)
        EXPECT_EQ(back.now->said[i].attention, left.now->said[i].attention);
}

TEST(TextLearningJob, TwoRunsSeeEquallyManySentencesAndPauseHolds) {
    Learning<Texts> worker;
    TextRecipe other = short_recipe(TextTask::sentiment, 64'000);
    other.model.norm = Norm::after;
    worker.set({short_recipe(TextTask::sentiment, 64'000), other});
    worker.start();
    ASSERT_TRUE(eventually([&] { return worker.latest().size() == 2 && worker.latest()[1].now->report.step >= 5; }));
    EXPECT_TRUE(worker.running());
    worker.pause();
    worker.wait();
    const auto runs = worker.latest();
    EXPECT_EQ(runs[0].now->report.step, runs[1].now->report.step);
    EXPECT_EQ(runs[0].stage, RunStage::paused);
    EXPECT_GT(runs[0].kept.size(), 1U);
    EXPECT_FALSE(worker.running());
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    EXPECT_EQ(worker.latest()[0].now->report.step, runs[0].now->report.step);
}

TEST(TextLearningJob, APaceIsKeptTo) {
    Learning<Texts> worker;
    worker.look_at("", 20);
    worker.set({short_recipe(TextTask::sentiment, 64'000)});
    worker.wait();
    const auto start = std::chrono::steady_clock::now();
    worker.start();
    ASSERT_TRUE(eventually([&] { return worker.latest()[0].now->report.step >= 10; }));
    const double passed = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    EXPECT_GE(passed, 9 / 20.0) << "ten steps have nine pauses between them";
    worker.look_at("", 0);
    EXPECT_TRUE(worker.running()) << "another pace stops nothing";
    worker.pause();
    worker.wait();
}

TEST(TextLearningJob, WhatIsTypedIsLookedAtBackToTheFirstMoment) {
    Learning<Texts> worker;
    worker.set({short_recipe(TextTask::sentiment)});
    for (int i = 0; i < 3; ++i) {
        worker.step();
        worker.wait();
    }
    const std::size_t samples = text_samples(TextTask::sentiment, TextLanguage::japanese).size();
    const auto kept = worker.latest()[0].kept;
    ASSERT_EQ(kept.size(), 4U);
    worker.look_at("the room was not dirty", 0);
    worker.wait();
    const auto again = worker.latest()[0].kept;
    ASSERT_EQ(again.size(), kept.size());
    for (std::size_t i = 0; i < again.size(); ++i) {
        EXPECT_EQ(again[i]->report.step, kept[i]->report.step);
        EXPECT_EQ(again[i]->model, kept[i]->model) << "nothing was learned for it";
        ASSERT_EQ(again[i]->said.size(), samples + 1);
        EXPECT_EQ(join_words(again[i]->said.back().input, TextLanguage::english), "The room was not dirty.");
        expect_rows(again[i]->said.back());
    }
    EXPECT_EQ(worker.latest()[0].now->report.step, 3U);
    worker.look_at("", 0);
    worker.wait();
    EXPECT_EQ(worker.latest()[0].now->said.size(), samples);
}

TEST(TextLearningJob, AnyBytesMayBeTyped) {
    Learning<Texts> worker;
    worker.set({short_recipe(TextTask::translate)});
    for (const std::string& typed :
         std::vector<std::string>{std::string("\xff\xfe zebra \xe3\x81", 11), std::string(240, '.'), std::string("   "),
                                  std::string("[PAD] [EOS] <b>"), std::string(200, 'a') + " cat"}) {
        worker.look_at(typed, 0);
        worker.wait();
        EXPECT_TRUE(worker.take_failure().empty()) << typed;
        for (const SaidText& said : worker.latest()[0].now->said) expect_rows(said);
    }
}

TEST(TextLearningJob, ARunThatIsOverGoesOnAsLongAgain) {
    Learning<Texts> worker;
    worker.set({short_recipe(TextTask::sentiment, 320)});
    worker.start();
    ASSERT_TRUE(eventually([&] { return is(worker, RunStage::done); }));
    EXPECT_EQ(worker.latest()[0].progress, 1);
    EXPECT_EQ(worker.latest()[0].now->report.seen, 320U);
    EXPECT_TRUE(eventually([&] { return !worker.running(); }));
    EXPECT_TRUE(are_over(worker.latest()));
    worker.go_on();
    ASSERT_TRUE(eventually([&] { return is(worker, RunStage::done) && worker.latest()[0].now->report.seen == 640; }));
}

TEST(TextLearningJob, RunsThatWereNeverThereAreNotPutAsideAsThoseBeforeThem) {
    Learning<Texts> worker;
    const TextRecipe first = short_recipe(TextTask::translate, 64'000), next = short_recipe(TextTask::sentiment);
    worker.set({first});
    worker.start();
    ASSERT_TRUE(eventually([&] { return !worker.latest().empty() && worker.latest()[0].now->report.step > 0; }));
    worker.put_aside({});  // it was saved
    worker.set({next});
    for (const RunView<Texts>& run : worker.latest())
        EXPECT_EQ(run.now->report.step, 0U) << "what is left is not shown";
    worker.put_aside(worker.latest());
    worker.set({short_recipe(TextTask::story)});
    worker.wait();
    EXPECT_TRUE(worker.unsaved_aside().empty());
    EXPECT_FALSE(worker.bring_back({next})) << "it never began";
    ASSERT_TRUE(worker.bring_back({first}));
    worker.wait();
    ASSERT_EQ(worker.latest().size(), 1U);
    EXPECT_GT(worker.latest()[0].now->report.step, 0U);
}

TEST(TextLearningJob, TellsOfARunThatBlowsUp) {
    Learning<Texts> worker;
    TextRecipe r = short_recipe(TextTask::translate, 64'000);
    r.model.norm = Norm::none;
    r.learning_rate = 9;
    r.optimiser = Optimiser::adamw;
    r.warm_up = 0;
    r.clip = 1e9;
    worker.set({r});
    worker.start();
    ASSERT_TRUE(eventually([&] { return is(worker, RunStage::diverged); }));
    worker.look_at("the cat", 0);
    worker.wait();
    EXPECT_TRUE(worker.take_failure().empty());
    EXPECT_FALSE(can_go_on(worker.latest()));
}

TEST(KeptMoments, ThinOutWhereTheyBecomeTooManyAndKeepTheFirst) {
    KeptMoments<int> kept(80);
    for (int step = 0; step < 1000; ++step)
        if (kept.wants(static_cast<std::uint64_t>(step))) kept.keep(std::make_shared<const int>(step));
    EXPECT_LE(kept.all().size(), 80U);
    EXPECT_GE(kept.all().size(), 40U);
    EXPECT_EQ(*kept.all().front(), 0);
    for (std::size_t i = 2; i < kept.all().size(); ++i)
        EXPECT_EQ(*kept.all()[i] - *kept.all()[i - 1], *kept.all()[1] - *kept.all()[0]) << "evenly";
}

TEST(LookedTexts, AreTheSamplesWithWhatShouldBeSaidAndWhatWasTyped) {
    for (const auto& [task, name] : text_task_names)
        for (const auto& [to, language] : text_language_names) {
            const std::vector<TextSample> samples = text_samples(task, to);
            const std::vector<LookedText> texts = looked_texts(task, to, "");
            ASSERT_EQ(texts.size(), samples.size());
            const Vocabulary known = source_vocabulary(task, to);
            for (std::size_t i = 0; i < texts.size(); ++i) {
                EXPECT_EQ(texts[i].expected.empty(), samples[i].expected.empty()) << samples[i].name;
                for (const std::string& word : texts[i].words)
                    EXPECT_TRUE(known.knows(word)) << word << " of " << samples[i].name;
            }
        }
    EXPECT_EQ(looked_texts(TextTask::translate, TextLanguage::japanese, "this is a pen").back().words,
              (std::vector<std::string>{"this", "is", "a", "pen", "."}))
        << "a sentence ends";
    EXPECT_EQ(looked_texts(TextTask::story, TextLanguage::japanese, "Tom has a").back().words,
              (std::vector<std::string>{"Tom", "has", "a"}))
        << "a story goes on";
}

TEST(TextLearningJob, TimesRunsAsideBeforeTheyBeginWhereItIsShownHowLongTheyTake) {
    Learning<Texts> worker;
    worker.set({short_recipe(TextTask::sentiment), short_recipe(TextTask::sentiment)});
    worker.wait();
    EXPECT_FALSE(worker.latest()[0].expected_pace) << "nobody asks how long it takes";
    EXPECT_FALSE(expected_seconds(worker.latest(), 0));
    worker.time_aside(true);
    worker.wait();
    const auto runs = worker.latest();
    for (const RunView<Texts>& run : runs) {
        ASSERT_TRUE(run.expected_pace);
        EXPECT_GT(*run.expected_pace, 0);
        EXPECT_EQ(run.stage, RunStage::ready) << "the measurement is none of the run's own steps";
        EXPECT_EQ(run.now->report.seen, 0U);
    }
    const double seconds = 640 / *runs[0].expected_pace + 640 / *runs[1].expected_pace;
    EXPECT_NEAR(*expected_seconds(runs, 0), seconds, 1e-6 * seconds);
    EXPECT_NEAR(*expected_seconds(runs, 1e-6), 640 / 64 / 1e-6, 1) << "as slowly as one wants to follow";
    EXPECT_FALSE(expected_seconds(std::vector<RunView<Texts>>(), 0));
    worker.step();
    worker.wait();

    Learning<Texts> other;  // the same run, whether or not it was timed before
    other.set({short_recipe(TextTask::sentiment)});
    other.step();
    other.wait();
    EXPECT_EQ(other.latest()[0].now->report.loss, worker.latest()[0].now->report.loss);
}

}  // namespace
}  // namespace vitrine
