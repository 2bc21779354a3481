#pragma once

#include <string>

#include "app/jobs/live_run.h"

namespace vitrine {

/// A run as another window continues it: its file, with its curve and what else the window shows of it.
template <class Family>
RunCheckpoint checkpoint_of(const LiveRun<Family>& run);

/// Brings a run that has not begun to where such a file was written. Throws Error, also for a run with another recipe.
template <class Family>
void restore(LiveRun<Family>& run, const std::string& checkpoint);

}  // namespace vitrine
