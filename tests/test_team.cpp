#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <fstream>
#include <iterator>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>

#include "core/base/error.h"
#include "core/base/team.h"
#include "tests/eventually.h"

namespace vitrine {
namespace {

/// How often a thread of this process went to sleep so far, in the system's words; empty where it is awake.
std::string sleep_of(int thread) {
    std::ifstream in("/proc/self/task/" + std::to_string(thread) + "/status");
    const std::string words{std::istreambuf_iterator<char>(in), {}};
    const bool sleeps = words.find("State:\tS") != std::string::npos;
    return sleeps ? words.substr(words.find("voluntary_ctxt_switches")) : std::string();
}

TEST(Share, SharesFollowOneAnotherAndDifferByOneAtMost) {
    for (const std::size_t count : {0U, 1U, 5U, 197U, 1000U})
        for (const int members : {1, 2, 3, 7, 16}) {
            std::size_t next = 0;
            for (int member = 0; member < members; ++member) {
                const Share share = share_of(count, member, members);
                EXPECT_EQ(share.first, next);
                const std::size_t size = share.last - share.first, least = count / static_cast<std::size_t>(members);
                EXPECT_TRUE(size == least || size == least + 1) << size << " of " << count;
                next = share.last;
            }
            EXPECT_EQ(next, count);
        }
}

TEST(Parallel, GivesAMemberNoShareThatHandingItOverWouldEatUp) {
    const ThreadCount count(4);
    EXPECT_EQ(threads_for(0), 1);
    EXPECT_EQ(threads_for(12), 1) << "two shares of six microseconds are slower than one of twelve";
    EXPECT_EQ(threads_for(15), 2);
    EXPECT_EQ(threads_for(1e9), 4);
}

TEST(Parallel, DoesEveryThingOnce) {
    for (const int threads : {1, 2, 3, 8}) {
        const ThreadCount count(threads);
        for (const std::size_t things : {0U, 1U, 2U, 7U, 1000U}) {
            std::vector<int> done(things, 0);
            parallel_for(things, [&](std::size_t i) { ++done[i]; });
            EXPECT_EQ(done, std::vector<int>(things, 1)) << things << " things, " << threads << " threads";
        }
    }
}

TEST(Parallel, EveryMemberIsAThreadOfItsOwn) {
    const ThreadCount count(3);
    for (int round = 0; round < 100; ++round) {
        std::vector<std::thread::id> ids(3);
        parallel(3, [&](int member) { ids[static_cast<std::size_t>(member)] = std::this_thread::get_id(); });
        EXPECT_EQ(ids[0], std::this_thread::get_id()) << "the caller takes a share";
        EXPECT_EQ(std::set(ids.begin(), ids.end()).size(), 3U);
    }
}

TEST(Parallel, InsideAMemberThereIsOneThread) {
    const ThreadCount count(3);
    std::vector<int> inside(3, 0);
    std::vector<int> sums(3, 0);
    std::atomic<int> strangers = 0;
    parallel(3, [&](int member) {
        const auto m = static_cast<std::size_t>(member);
        const auto own = std::this_thread::get_id();
        inside[m] = thread_count();
        parallel_for(10, [&](std::size_t i) { sums[m] += static_cast<int>(i); });
        parallel(4, [&](int) {  // asked for by number: still done, one after another
            ++sums[m];
            strangers += std::this_thread::get_id() != own ? 1 : 0;
        });
    });
    EXPECT_EQ(inside, std::vector<int>(3, 1));
    EXPECT_EQ(strangers, 0);
    EXPECT_EQ(sums, std::vector<int>(3, 49));
    EXPECT_EQ(thread_count(), 3) << "and outside again as many as before";
}

TEST(Parallel, WhatAShareThrowsComesToTheCallerAndTheTeamGoesOn) {
    const ThreadCount count(3);
    for (int thrower = 0; thrower < 3; ++thrower) {
        const auto work = [&](int member) {
            if (member == thrower) throw Error("share " + std::to_string(member));
        };
        EXPECT_THROW(parallel(3, work), Error) << thrower;
        EXPECT_EQ(thread_count(), 3);
        std::atomic<int> worked = 0;
        parallel(3, [&](int) { ++worked; });
        EXPECT_EQ(worked, 3);
    }
}

TEST(Parallel, SeveralCallersAtOnceDoNotMeet) {
    constexpr int callers = 4, rounds = 300;
    std::vector<std::size_t> sums(callers, 0);
    std::vector<std::thread> threads;
    for (int caller = 0; caller < callers; ++caller)
        threads.emplace_back([&sums, caller] {
            set_thread_count(1 + caller % 3);
            for (int round = 0; round < rounds; ++round) {
                std::vector<std::size_t> squares(64);
                parallel_for(squares.size(), [&](std::size_t i) { squares[i] = i * i; });
                sums[static_cast<std::size_t>(caller)] +=
                    std::accumulate(squares.begin(), squares.end(), std::size_t{0});
            }
        });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(sums, std::vector<std::size_t>(callers, rounds * std::size_t{85344}));
}

TEST(Parallel, ATeamAtRestUsesNoProcessor) {
    const ThreadCount count(4);
    std::array<int, 4> members = {};
    for (int round = 0; round < 20; ++round)
        parallel(4, [&](int member) { members[static_cast<std::size_t>(member)] = gettid(); });
    for (std::size_t i = 1; i < members.size(); ++i)
        EXPECT_TRUE(eventually([&] {  // who watches falls asleep, and then does not wake
            const std::string before = sleep_of(members[i]);
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
            return !before.empty() && sleep_of(members[i]) == before;
        }));
}

TEST(Parallel, AMemberThatWaitsForALongShareSleeps) {
    const ThreadCount count(2);
    std::array<std::atomic<int>, 2> members = {};
    for (int worker = 0; worker < 2; ++worker)
        parallel(2, [&](int member) {
            members[static_cast<std::size_t>(member)] = gettid();
            const std::atomic<int>& other = members[static_cast<std::size_t>(1 - member)];
            if (member == worker) {
                EXPECT_TRUE(eventually([&] { return other != 0 && !sleep_of(other).empty(); }));
            }
        });
}

TEST(Team, SomeOfItsMembersMayWork) {
    Team team(5);
    for (const int members : {1, 2, 5, 3}) {
        std::vector<int> worked(5, 0), met(5, 0);
        team.run(members, [&](int member) {
            ++worked[static_cast<std::size_t>(member)];
            team.meet();
            met[static_cast<std::size_t>(member)] = std::accumulate(worked.begin(), worked.end(), 0);
        });
        for (int member = 0; member < 5; ++member) {
            EXPECT_EQ(worked[static_cast<std::size_t>(member)], member < members ? 1 : 0);
            EXPECT_EQ(met[static_cast<std::size_t>(member)], member < members ? members : 0);
        }
    }
}

TEST(Team, BeginsAndEndsWithoutWork) {
    for (int round = 0; round < 50; ++round) Team team(1 + round % 5);
}

TEST(Team, EveryMemberWorksAndMeets) {
    Team team(4);
    std::vector<int> before(4, 0), after(4, 0);
    for (int round = 0; round < 50; ++round)
        team.run([&](int member) {
            ++before[static_cast<std::size_t>(member)];
            team.meet();
            for (const int n : before) after[static_cast<std::size_t>(member)] += n == round + 1 ? 1 : 0;
        });
    EXPECT_EQ(before, std::vector<int>(4, 50));
    EXPECT_EQ(after, std::vector<int>(4, 200)) << "behind a meeting everybody's work is there";
}

TEST(Team, WhatAMemberThrowsComesToTheCallerAndNobodyWaitsForEver) {
    Team team(4);
    for (int thrower = 0; thrower < 4; ++thrower)
        for (int meetings = 0; meetings < 3; ++meetings) {
            std::vector<int> met(4, 0);
            const auto work = [&](int member) {
                for (int i = 0; i < 3; ++i) {
                    if (member == thrower && i == meetings) throw Error("member " + std::to_string(member));
                    team.meet();
                    ++met[static_cast<std::size_t>(member)];
                }
            };
            try {
                team.run(work);
                ADD_FAILURE() << "it was lost";
            } catch (const Error& error) {
                EXPECT_EQ(error.what(), "member " + std::to_string(thrower));
            }
            for (const int n : met) EXPECT_LE(n, meetings) << "behind the meeting that it missed nobody goes on";
        }
    EXPECT_THROW(team.run([](int) { throw std::runtime_error("all of them"); }), std::runtime_error);
    std::atomic<int> worked = 0;
    team.run([&](int) {
        team.meet();
        ++worked;
    });
    EXPECT_EQ(worked, 4) << "the team goes on";
}

}  // namespace
}  // namespace vitrine
