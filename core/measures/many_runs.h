#pragma once

#include <cstddef>
#include <functional>

#include "core/base/progress.h"

namespace vitrine {

/// Common properties of several runs of one model, each with its own change.
struct ManyRuns {
    std::size_t count = 0;
    bool within_budget = false;  // a run within a budget of memory is read by one thread
};

/// Calls work(i) for 0 … count − 1 on all threads, a few at a time, so that progress is reported and the work can be
/// cancelled; after each few, `on_some` is called with the number done.
void for_each_run(const ManyRuns& runs, const std::function<void(std::size_t)>& work, const Progress& progress = {},
                  const std::function<void(std::size_t)>& on_some = {});

}  // namespace vitrine
