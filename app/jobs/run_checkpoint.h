#pragma once

#include <memory>

#include "app/workspace/run_view.h"

namespace vitrine {

struct RunProgress;
template <class Family>
struct LiveRun;

/// A run for another window to continue: its file, with its curve and the rest of its state in the window.
template <class Family>
RunCheckpoint checkpoint_of(const LiveRun<Family>& run);

/// The run of such a file, with its number of threads, so that it continues with the same bits. Throws Error, also for
/// another recipe.
template <class Family>
std::unique_ptr<LiveRun<Family>> continued_run(const typename Family::Recipe& recipe, const RunCheckpoint& checkpoint);

/// The stage at which a window kept a run. Throws Error.
RunStage kept_stage(const RunProgress& progress);

}  // namespace vitrine
