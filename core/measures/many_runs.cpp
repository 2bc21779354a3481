#include "core/measures/many_runs.h"

#include <algorithm>

#include "core/base/team.h"

namespace vitrine {

void for_each_run(const ManyRuns& runs, const std::function<void(std::size_t)>& work, const Progress& progress,
                  const std::function<void(std::size_t)>& on_some) {
    const int threads = runs.within_budget ? 1 : thread_count();
    const std::size_t together = 4 * static_cast<std::size_t>(threads);
    for (std::size_t done = 0; done < runs.count;) {
        report(progress, static_cast<double>(done) / static_cast<double>(runs.count));
        const std::size_t some = std::min(together, runs.count - done);
        parallel_for(some, threads, [&](std::size_t i) { work(done + i); });
        done += some;
        if (on_some) on_some(done);
    }
}

}  // namespace vitrine
