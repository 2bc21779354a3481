#include "app/platform/threads.h"

#include <algorithm>
#include <utility>

#include "core/base/machine.h"
#include "core/base/team.h"
#include "core/base/thread_priority.h"

namespace vitrine {

int training_thread_count() { return std::max(1, processor_count() - 1); }

std::thread start_thread(ThreadPriority priority, std::function<void()> work) {
    return std::thread([priority, work = std::move(work)] {
        if (priority == ThreadPriority::low) lower_priority(low_niceness);
        set_thread_count(training_thread_count());
        work();
    });
}

}  // namespace vitrine
