#include "app/platform/threads.h"

#include <omp.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

namespace vitrine {

int cores_beside_the_window() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency()) - 1); }

std::thread start_thread(ThreadPriority priority, std::function<void()> work) {
    return std::thread([priority, work = std::move(work)] {
        if (priority == ThreadPriority::low)
            setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), low_niceness);  // Linux: of this thread only
        omp_set_num_threads(cores_beside_the_window());
        work();
    });
}

}  // namespace vitrine
