#include <gtest/gtest.h>

#include <ctime>
#include <filesystem>
#include <stdexcept>

#include "app/jobs/inference.h"
#include "app/jobs/measuring.h"
#include "core/base/team.h"
#include "tests/slow_model.h"
#include "tests/small_model.h"

namespace vitrine {
namespace {

constexpr int one = 0, other = 1;  // two workspaces

std::shared_ptr<const Result> result_of(const Experiment& experiment) {
    Inference inference;
    inference.request(one, experiment);
    inference.wait();
    return inference.latest(one).result;
}
std::shared_ptr<const Result> cat() { return result_of({small_model(), {"cat", {}}, {}}); }

Laboratory at(Instrument instrument) {
    Laboratory lab;
    lab.instrument = instrument;
    return lab;
}

void wait_until_it_measures(const Measuring& measuring, int workspace) {
    while (!measuring.latest(workspace).result) std::this_thread::yield();
}

TEST(Measuring, KeepsWhatWasMeasuredOfTheSameRun) {
    const auto run = cat();
    Measuring measuring;
    measuring.request(one, {run, at(Instrument::statistics)});
    measuring.wait();
    const auto first = measuring.latest(one).result;
    ASSERT_TRUE(first && first->statistics);
    EXPECT_FALSE(first->lens);
    measuring.request(one, {run, at(Instrument::lens)});
    measuring.wait();
    const auto second = measuring.latest(one).result;
    EXPECT_EQ(second->statistics, first->statistics);
    EXPECT_TRUE(second->lens);
    EXPECT_FALSE(measuring.latest(one).running);
}

TEST(Measuring, ServesTwoWorkspaces) {
    const auto a = cat(), b = result_of({small_model(), {"sun", {}}, {}});
    Measuring measuring;
    measuring.request(one, {a, at(Instrument::occlusion)});
    measuring.request(other, {b, at(Instrument::statistics)}, {.priority = 1});
    measuring.wait();
    EXPECT_EQ(measuring.latest(one).result->of, a);
    EXPECT_EQ(measuring.latest(one).result->occlusion->done, measuring.latest(one).result->occlusion->total);
    EXPECT_EQ(measuring.latest(other).result->of, b);
    EXPECT_TRUE(measuring.latest(other).result->statistics);
    EXPECT_FALSE(measuring.latest(other).result->occlusion);
}

TEST(Measuring, TheVisibleWorkspaceGoesFirstAndTheOtherIsDoneAfterwards) {
    const auto slow = result_of({slow_model(), {"cat", {}}, {}}), quick = cat();
    Measuring measuring;
    measuring.request(other, {slow, at(Instrument::occlusion)});
    wait_until_it_measures(measuring, other);
    measuring.request(one, {quick, at(Instrument::statistics)}, {.priority = 1});
    while (measuring.latest(one).running) std::this_thread::yield();
    EXPECT_TRUE(measuring.latest(one).result->statistics);
    EXPECT_TRUE(measuring.latest(other).running) << "it begins anew";
    measuring.cancel(other);
    measuring.wait();
    EXPECT_TRUE(measuring.latest(one).result->statistics) << "one cancelled, the other stays";
}

TEST(Measuring, WhatWasCancelledIsBegunAnewOnlyAfterAgain) {
    const auto slow = result_of({slow_model(), {"cat", {}}, {}});
    Measuring measuring;
    const MeasureRequest request{slow, at(Instrument::occlusion)};
    measuring.request(one, request);
    wait_until_it_measures(measuring, one);
    measuring.cancel(one);
    measuring.request(one, request);
    EXPECT_FALSE(measuring.latest(one).running);
    measuring.again(one);
    measuring.request(one, request);
    EXPECT_TRUE(measuring.latest(one).running);
}

TEST(Measuring, ACauseThatTakesLongIsCancelledBetweenItsRuns) {
    const auto slow = result_of({slow_model(), {"cat", {}}, {}});
    for (const CauseFigure cause : {CauseFigure::importance, CauseFigure::perturbation}) {
        Laboratory lab = at(Instrument::causes);
        lab.cause = cause;
        Measuring measuring;
        measuring.request(one, {slow, lab});
        // Some runs are done; with a thread for each, all are begun at once.
        while (measuring.latest(one).fraction == 0 && thread_count() < 36) std::this_thread::yield();
        measuring.cancel(one);
        measuring.wait();
        EXPECT_FALSE(measuring.latest(one).running);
        EXPECT_FALSE(measuring.latest(one).result->importance);
        EXPECT_FALSE(measuring.latest(one).result->perturbation);
    }
}

TEST(Measuring, HoldsNoRunThatNobodyShows) {
    auto run = cat();
    const std::weak_ptr<const Result> held = run;
    Measuring measuring;
    measuring.request(one, {run, at(Instrument::statistics)});
    measuring.wait();
    run.reset();
    EXPECT_FALSE(held.expired());
    measuring.request(one, {nullptr, at(Instrument::statistics)});
    measuring.wait();
    EXPECT_TRUE(held.expired());
    EXPECT_FALSE(measuring.latest(one).result);
}

TEST(Measuring, LetsGoOfTheRunBeforeWhenAnotherIsMeasured) {
    auto run = cat();
    const std::weak_ptr<const Result> held = run;
    Measuring measuring;
    measuring.request(one, {run, at(Instrument::statistics)});
    measuring.wait();
    run.reset();
    measuring.request(one, {result_of({small_model(), {"sun", {}}, {}}), at(Instrument::statistics)});
    measuring.wait();
    EXPECT_TRUE(held.expired());
}

TEST(Measuring, ClosesInTheMiddleOfALongMeasurement) {
    const std::clock_t begin = std::clock();  // processor time: work, whatever else the machine does
    const auto slow = result_of({slow_model(), {"cat", {}}, {}});  // about 800 runs of it
    const std::clock_t run = std::clock() - begin, start = [&] {
        Measuring measuring;
        measuring.request(one, {slow, at(Instrument::occlusion)});
        wait_until_it_measures(measuring, one);
        return std::clock();
    }();
    EXPECT_LT(std::clock() - start, 40 * run) << "a few runs";
}

TEST(Measuring, NoExceptionEndsItsThread) {
    const auto run = cat();
    std::function<void()> thrower;
    Measuring measuring([&] {
        if (thrower) std::exchange(thrower, nullptr)();
    });
    const std::vector<std::function<void()>> all = {
        [] { throw std::runtime_error("no luck"); },
        [] { throw std::filesystem::filesystem_error("no luck", std::make_error_code(std::errc::io_error)); },
        [] { throw std::bad_alloc(); },
        [] { throw 42; },
    };
    for (const auto& thrown : all) {
        thrower = thrown;
        measuring.request(one, {run, at(Instrument::statistics)});
        measuring.wait();
        EXPECT_FALSE(measuring.take_failure(one).empty());
        EXPECT_TRUE(measuring.take_failure(one).empty()) << "it is told once";
        measuring.request(one, {run, at(Instrument::lens)});
        measuring.wait();
        EXPECT_TRUE(measuring.latest(one).result->lens);
        measuring.forget(one);
    }
}

}  // namespace
}  // namespace vitrine
