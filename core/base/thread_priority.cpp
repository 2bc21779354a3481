#include "core/base/thread_priority.h"

#include <sys/resource.h>
#include <unistd.h>

namespace vitrine {

void lower_priority(int niceness) {
    const auto thread = static_cast<id_t>(gettid());  // in Linux every thread has its own priority
    if (getpriority(PRIO_PROCESS, thread) < niceness) setpriority(PRIO_PROCESS, thread, niceness);
}

}  // namespace vitrine
