#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "app/jobs/jobs.h"
#include "app/jobs/latest.h"

namespace vitrine {
namespace {

/// A job that answers with twice what it is asked for.
class Doubling : public Latest<int, int> {
public:
    explicit Doubling(std::function<void()> on_change)
        : Latest([](Run& run) { run.publish(std::make_shared<const int>(2 * run.request())); }, std::move(on_change)) {}
};

/// A job that notes what the registry asks of it, and is busy until it is waited for.
class Noting : public Job {
public:
    explicit Noting(const std::function<void()>& /*on_change*/) {}

    void forget(int client) override { forgotten.push_back(client); }
    bool busy() const override { return busy_; }
    void wait() const override { busy_ = false; }

    std::vector<int> forgotten;

private:
    mutable bool busy_ = true;
};

TEST(Jobs, AreMadeWhenTheyAreFirstAskedForAndOnce) {
    Jobs jobs({});
    EXPECT_FALSE(jobs.has<Doubling>());
    EXPECT_EQ(jobs.find<Doubling>(), nullptr);
    EXPECT_FALSE(jobs.busy());
    Doubling& doubling = jobs.of<Doubling>();
    EXPECT_EQ(&jobs.of<Doubling>(), &doubling);
    EXPECT_EQ(jobs.find<Doubling>(), &doubling);
    EXPECT_FALSE(jobs.has<Noting>());
}

TEST(Jobs, WakeTheWindowAndAreWaitedFor) {
    std::atomic<int> woken = 0;
    Jobs jobs([&] { ++woken; });
    jobs.of<Doubling>().request(1, 21);
    jobs.wait();
    EXPECT_EQ(*jobs.of<Doubling>().latest(1).result, 42);
    EXPECT_GT(woken, 0);
    Noting& noting = jobs.of<Noting>();
    EXPECT_TRUE(jobs.busy());
    jobs.wait();
    EXPECT_FALSE(noting.busy());
    EXPECT_FALSE(jobs.busy());
}

TEST(Jobs, ForgetAClosedWorkspaceAndItsExercise) {
    Jobs jobs({});
    Doubling& doubling = jobs.of<Doubling>();
    for (const int client : {1, 2, Jobs::exercise_of(1)}) doubling.request(client, client);
    Noting& noting = jobs.of<Noting>();
    jobs.wait();
    jobs.forget(1);
    EXPECT_EQ(noting.forgotten, (std::vector<int>{1, Jobs::exercise_of(1)}));
    EXPECT_FALSE(doubling.latest(1).result);
    EXPECT_FALSE(doubling.latest(Jobs::exercise_of(1)).result);
    EXPECT_TRUE(doubling.latest(2).result) << "the other workspace keeps its own";
}

}  // namespace
}  // namespace vitrine
