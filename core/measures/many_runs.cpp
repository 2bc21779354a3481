#include "core/measures/many_runs.h"

#include <algorithm>

#include "core/base/team.h"
#include "core/vit/trace.h"

namespace vitrine {

void for_each_run(const ManyRuns& runs, const std::function<void(std::size_t)>& work, const Progress& progress,
                  const std::function<void(std::size_t)>& on_some) {
    // A run with a memory budget can be read by only one thread.
    const bool by_one = std::ranges::any_of(runs.read, [](const Trace* run) { return run->budget.has_value(); });
    const int threads = by_one ? 1 : thread_count();
    // Few runs are done in smaller groups (at least one per thread), so that progress is still reported in between.
    const auto each_once = static_cast<std::size_t>(threads);
    const std::size_t together = std::min(4 * each_once, std::max(each_once, runs.count / 4));
    for (std::size_t done = 0; done < runs.count;) {
        report(progress, static_cast<double>(done) / static_cast<double>(runs.count));
        const std::size_t some = std::min(together, runs.count - done);
        parallel_for(some, threads, [&](std::size_t i) { work(done + i); });
        done += some;
        if (on_some) on_some(done);
    }
    report(progress, 1);
}

}  // namespace vitrine
