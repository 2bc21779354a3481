#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "core/base/progress.h"

namespace vitrine {

class Trace;

/// The number and the common inputs of several runs of one model, each with its own change.
struct ManyRuns {
    std::size_t count = 0;
    std::vector<const Trace*> read = {};  // finished runs from which all of them read
};

/// Calls work(i) for 0 … count − 1 on all threads, in groups; between groups progress is reported, the work can be
/// cancelled, and `on_some` is called with the number done.
void for_each_run(const ManyRuns& runs, const std::function<void(std::size_t)>& work, const Progress& progress = {},
                  const std::function<void(std::size_t)>& on_some = {});

}  // namespace vitrine
