#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <thread>
#include <vector>

#include "core/base/machine.h"
#include "core/base/thread_priority.h"

namespace vitrine {
namespace {

TEST(PeakMemory, IsTheMostSinceItWasForgotten) {
    constexpr std::size_t block = std::size_t{64} << 20;
    { const std::vector<char> held(block, 1); }
    const std::optional<double> before = peak_memory();
    ASSERT_TRUE(before);
    EXPECT_GT(*before, static_cast<double>(block));
    forget_peak_memory();
    EXPECT_LE(*peak_memory(), *before);
}

TEST(ProcessorTime, IsThatOfThisThreadAlone) {
    const double before = processor_seconds_of_thread();
    std::thread([] {
        const auto start = std::chrono::steady_clock::now();
        while (std::chrono::steady_clock::now() - start < std::chrono::milliseconds(300)) continue;
    }).join();
    const double other = processor_seconds_of_thread() - before;
    EXPECT_GE(other, 0);
    EXPECT_LT(other, 0.2);
    while (processor_seconds_of_thread() - before < 0.25) continue;  // ends only where this thread's own time counts
}

int niceness() { return getpriority(PRIO_PROCESS, static_cast<id_t>(gettid())); }

TEST(ThreadPriority, IsLoweredForTheThreadThatAsksAndNeverRaised) {
    const int before = niceness();
    int asked = 0, again = 0;
    std::thread([&] {
        lower_priority(before + 3);
        asked = niceness();
        lower_priority(before + 1);
        again = niceness();
    }).join();
    EXPECT_EQ(asked, std::min(19, before + 3));
    EXPECT_EQ(again, asked);
    EXPECT_EQ(niceness(), before);
}

}  // namespace
}  // namespace vitrine
