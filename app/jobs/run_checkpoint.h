#pragma once

#include <memory>

#include "app/workspace/run_view.h"

namespace vitrine {

struct RunProgress;
template <class Family>
struct LiveRun;

/// A run as bytes, with its curve and its state in the window, for another window to continue.
template <class Family>
RunCheckpoint checkpoint_of(const LiveRun<Family>& run);

/// The run of such a checkpoint, with its number of threads, so that it continues with bitwise equal results. Throws
/// Error, also if the checkpoint is of another recipe.
template <class Family>
std::unique_ptr<LiveRun<Family>> continued_run(const typename Family::Recipe& recipe, const RunCheckpoint& checkpoint);

/// The stage of a run in its checkpoint. Throws Error.
RunStage kept_stage(const RunProgress& progress);

}  // namespace vitrine
