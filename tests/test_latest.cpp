#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <new>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "app/jobs/latest.h"
#include "core/base/error.h"

namespace vitrine {
namespace {

using Numbers = Latest<int, int>;

/// A work that runs until it is stopped or let go on, and says in which order requests were taken up.
struct Slow {
    std::atomic<bool> go_on = false;
    std::mutex mutex;
    std::vector<int> taken_up;

    void operator()(Numbers::Run& run) {
        {
            const std::lock_guard lock(mutex);
            taken_up.push_back(run.request());
        }
        run.enter(1);
        while (!go_on) {
            run.progress()(0.5);
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        run.publish(std::make_shared<int>(run.request() * 10));
    }
    std::vector<int> order() {
        const std::lock_guard lock(mutex);
        return taken_up;
    }
    Numbers::Work work() {
        return [this](Numbers::Run& run) { (*this)(run); };
    }
};

void wait_until_taken_up(const Numbers& job, int client) {
    while (job.latest(client).stage != 1) std::this_thread::yield();
}

void ten_times(Numbers::Run& run) { run.publish(std::make_shared<int>(run.request() * 10)); }

TEST(Latest, CarriesOutARequestOnceAndKeepsItsResult) {
    std::atomic<int> runs = 0;
    Numbers job([&](Numbers::Run& run) {
        ++runs;
        ten_times(run);
    });
    EXPECT_FALSE(job.latest(0).result);
    EXPECT_FALSE(job.latest(0).running);
    for (int i = 0; i < 3; ++i) {
        job.request(0, 4);
        job.wait();
    }
    EXPECT_EQ(*job.latest(0).result, 40);
    EXPECT_EQ(runs, 1);
    EXPECT_FALSE(job.busy());
}

TEST(Latest, ANewerRequestStopsTheRunThatItOvertakes) {
    Slow slow;
    Numbers job(slow.work());
    job.request(0, 1);
    wait_until_taken_up(job, 0);
    EXPECT_TRUE(job.latest(0).running);
    EXPECT_GE(job.latest(0).seconds, 0);
    job.request(0, 2);
    job.request(0, 3);
    slow.go_on = true;
    job.wait();
    EXPECT_EQ(*job.latest(0).result, 30);
    EXPECT_EQ(slow.order(), (std::vector{1, 3})) << "2 was never taken up";
}

TEST(Latest, AStreamFasterThanARunStillGivesResults) {
    Slow slow;
    Numbers job(slow.work());
    job.request(0, 1, {.running = Overtaken::finishes});
    wait_until_taken_up(job, 0);
    for (int frame = 2; frame <= 9; ++frame) job.request(0, frame, {.running = Overtaken::finishes});
    EXPECT_TRUE(job.latest(0).running);
    slow.go_on = true;
    job.wait();
    EXPECT_EQ(*job.latest(0).result, 90);
    EXPECT_EQ(slow.order(), (std::vector{1, 9})) << "the first ran to its end, then the newest";
}

TEST(Latest, TheMoreUrgentClientGoesFirstAndTheOtherBeginsAnew) {
    Slow slow;
    Numbers job(slow.work());
    job.request(7, 1);
    wait_until_taken_up(job, 7);
    job.request(8, 2, {.priority = 1});
    wait_until_taken_up(job, 8);
    EXPECT_TRUE(job.latest(7).running) << "it waits";
    EXPECT_EQ(job.latest(7).stage, 0);
    slow.go_on = true;
    job.wait();
    EXPECT_EQ(slow.order(), (std::vector{1, 2, 1}));
    EXPECT_EQ(*job.latest(7).result, 10);
    EXPECT_EQ(*job.latest(8).result, 20);
}

TEST(Latest, WhatBecomesVisibleOvertakesWithoutBeingAskedForAgain) {
    Slow slow;
    Numbers job(slow.work());
    job.request(1, 1, {.priority = 1});
    wait_until_taken_up(job, 1);
    job.request(2, 2, {.priority = 0});
    job.request(1, 1, {.priority = 0});  // another tab is chosen
    job.request(2, 2, {.priority = 1});
    wait_until_taken_up(job, 2);
    slow.go_on = true;
    job.wait();
    EXPECT_EQ(slow.order(), (std::vector{1, 2, 1}));
}

TEST(Latest, EqualsTakeTurnsHoweverOftenOneOfThemAsks) {
    Slow slow;
    Numbers job(slow.work());
    job.request(0, 1, {.running = Overtaken::finishes});
    wait_until_taken_up(job, 0);
    job.request(1, 100, {.running = Overtaken::finishes});
    for (int frame = 2; frame < 5; ++frame) job.request(0, frame, {.running = Overtaken::finishes});
    slow.go_on = true;
    job.wait();
    EXPECT_EQ(slow.order(), (std::vector{1, 100, 4}));
}

TEST(Latest, WhoAsksForSomethingElseKeepsTheTurn) {
    Slow slow;
    Numbers job(slow.work());
    job.request(0, 1);
    wait_until_taken_up(job, 0);
    job.request(1, 100);
    job.request(2, 200);
    job.request(1, 101);
    slow.go_on = true;
    job.wait();
    EXPECT_EQ(slow.order(), (std::vector{1, 101, 200}));
}

TEST(Latest, CancellingOneClientLeavesTheOther) {
    Slow slow;
    Numbers job(slow.work());
    job.request(1, 1);
    wait_until_taken_up(job, 1);
    job.request(2, 2);
    job.cancel(1);
    EXPECT_FALSE(job.latest(1).running);
    slow.go_on = true;
    job.wait();
    EXPECT_FALSE(job.latest(1).result);
    EXPECT_EQ(*job.latest(2).result, 20);
    job.request(1, 1);
    job.wait();
    EXPECT_FALSE(job.latest(1).result) << "what was cancelled is not begun anew";
    job.cancel(1, nullptr);
    job.request(1, 1);
    job.wait();
    EXPECT_EQ(*job.latest(1).result, 10) << "unless it may be";
}

TEST(Latest, WhatIsForgottenIsLetGo) {
    using Job = Latest<std::shared_ptr<int>, std::shared_ptr<int>>;
    Job job([](Job::Run& run) { run.publish(std::make_shared<std::shared_ptr<int>>(run.request())); });
    auto big = std::make_shared<int>(1);
    const std::weak_ptr<int> held = big;
    job.request(3, big);
    job.wait();
    EXPECT_EQ(*job.latest(3).result, big);
    big.reset();
    EXPECT_FALSE(held.expired());
    job.forget(3);
    job.wait();
    EXPECT_TRUE(held.expired());
    EXPECT_FALSE(job.latest(3).result);
}

TEST(Latest, ARunThatIsForgottenLetsGoOnceItHasStopped) {
    using Job = Latest<std::shared_ptr<int>, int>;
    Job job([](Job::Run& run) {
        for (;;) run.enter(1);
    });
    auto big = std::make_shared<int>(1);
    const std::weak_ptr<int> held = big;
    job.request(0, big);
    big.reset();
    while (job.latest(0).stage != 1) std::this_thread::yield();
    job.forget(0);
    job.wait();
    EXPECT_TRUE(held.expired());
}

TEST(Latest, ClosesWhileARunThatWouldNeverEndGoesOn) {
    Slow slow;
    Numbers job(slow.work());
    job.request(0, 1);
    wait_until_taken_up(job, 0);
}

TEST(Latest, EveryExceptionBecomesASentenceAndTheThreadLivesOn) {
    struct Thrown {
        std::function<void()> thrower;
        std::string words;
    };
    const std::vector<Thrown> all = {
        {[] { throw Error("cat.png: is no picture; choose another"); }, "cat.png: is no picture; choose another"},
        {[] { throw std::runtime_error("a reason\nof two lines"); }, "a reason?of two lines"},
        {[] {
             throw std::filesystem::filesystem_error("status", "/far/away",
                                                     std::make_error_code(std::errc::filename_too_long));
         },
         "/far/away: cannot be reached (File name too long); check the name"},
        {[] { throw std::bad_alloc(); }, "there is not enough memory"},
        {[] { const auto never = nlohmann::json::parse("{"); }, "parse error"},
        {[] { throw 42; }, "for a reason without words"},
    };
    Numbers job([&](Numbers::Run& run) {
        if (run.request() >= 0) all[static_cast<std::size_t>(run.request())].thrower();
        ten_times(run);
    });
    for (std::size_t i = 0; i < all.size(); ++i) {
        job.request(0, static_cast<int>(i));
        job.wait();
        ASSERT_TRUE(job.latest(0).failure) << i;
        EXPECT_NE(job.latest(0).failure->find(all[i].words), std::string::npos) << *job.latest(0).failure;
        EXPECT_EQ(job.latest(0).failure->find('\n'), std::string::npos);
        job.request(0, -1);
        job.wait();
        EXPECT_FALSE(job.latest(0).failure) << "a success ends the failure";
        EXPECT_EQ(*job.latest(0).result, -10);
    }
}

TEST(Latest, AFailureIsTakenOnceAndKeepsTheLastResult) {
    Numbers job([](Numbers::Run& run) {
        if (run.request() == 0) throw Error("no");
        ten_times(run);
    });
    job.request(0, 5);
    job.wait();
    job.request(0, 0);
    job.wait();
    EXPECT_EQ(*job.latest(0).result, 50);
    EXPECT_EQ(job.take_failure(0), "no");
    EXPECT_EQ(job.take_failure(0), "");
}

TEST(Latest, AWakeThatThrowsStopsNothing) {
    Numbers job(ten_times, [] { throw std::runtime_error("the window is gone"); });
    job.request(0, 1);
    job.wait();
    ASSERT_TRUE(job.latest(0).failure);
    EXPECT_NE(job.latest(0).failure->find("the window is gone"), std::string::npos);
    EXPECT_EQ(*job.latest(0).result, 10);
}

}  // namespace
}  // namespace vitrine
