#include "app/platform/threads.h"

#include <algorithm>
#include <atomic>
#include <utility>

#include "core/base/machine.h"
#include "core/base/team.h"
#include "core/base/thread_priority.h"

namespace vitrine {

namespace {

std::atomic<int> most_threads = 0;  // 0: no limit

}  // namespace

int training_thread_count() {
    const int usual = std::max(1, processor_count() - 1), most = most_threads;
    return most > 0 ? most : usual;
}

void limit_threads(int threads) {
    most_threads = threads;
    set_thread_count(threads);
}

std::thread start_thread(ThreadPriority priority, std::function<void()> work) {
    return std::thread([priority, work = std::move(work)] {
        if (priority == ThreadPriority::low) lower_priority(low_niceness);
        set_thread_count(training_thread_count());
        work();
    });
}

}  // namespace vitrine
