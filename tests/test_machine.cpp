#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstring>
#include <thread>

#include "core/base/machine.h"
#include "core/base/thread_priority.h"

namespace vitrine {
namespace {

TEST(PeakMemory, IsTheMostSinceItWasForgotten) {
    if (access("/proc/self/clear_refs", W_OK) != 0) GTEST_SKIP() << "this system forgets no peak";
    constexpr std::size_t block = std::size_t{64} << 20;
    // Of the system, not of an allocator, which may keep what it is given back.
    void* const held = mmap(nullptr, block, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(held, MAP_FAILED);
    std::memset(held, 1, block);
    munmap(held, block);
    const std::optional<double> before = peak_memory();
    ASSERT_TRUE(before);
    EXPECT_GT(*before, static_cast<double>(block));
    forget_peak_memory();
    EXPECT_LT(*peak_memory(), *before - static_cast<double>(block / 2));
}

TEST(ProcessorTime, IsThatOfThisThreadAlone) {
    constexpr double work = 0.2;  // s
    const double before = processor_seconds_of_thread();
    std::thread([] {
        while (processor_seconds_of_thread() < work) continue;  // ends only where this thread's own time counts
    }).join();
    const double own = processor_seconds_of_thread() - before;
    EXPECT_GE(own, 0);
    EXPECT_LT(own, work) << "the other's does not count";
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
