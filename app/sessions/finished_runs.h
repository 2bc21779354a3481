#pragma once

#include "app/rooms/app_context.h"
#include "app/workspace/kept_runs.h"

namespace vitrine {

/// Saves the finished runs that a killed window had put aside as models, each in a new folder, asynchronously; a short
/// message names the folders.
void save_finished_runs(AppContext& context, const KeptRuns& kept);

}  // namespace vitrine
