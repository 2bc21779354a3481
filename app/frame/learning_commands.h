#pragma once

#include "app/rooms/app_context.h"
#include "app/rooms/room.h"
#include "app/sessions/session.h"
#include "app/workspace/command.h"
#include "app/workspace/kept_runs.h"

namespace vitrine {

// Actions on models in training. They throw Error.

void execute(const command::ChangeLearning& command, AppContext& context);
void execute(const command::WatchLearning& command, AppContext& context);
void execute(const command::OpenLearned& command, AppContext& context);
void execute(const command::SaveLearned& command, AppContext& context);

/// True if there are unsaved runs, shown or not.
bool has_unsaved_runs(const AppContext& context);
/// The most examples seen by a run that would be lost if the program ended now, by family, rounded down to two digits.
UnsavedLearning unsaved_learning(const AppContext& context);
/// Saves every unsaved run at its current state, asynchronously.
void save_runs(AppContext& context);
/// Checkpoints of the shown runs of both families and of replaced finished runs, for a window that continues them if
/// this one is killed; none if all runs are saved. Adds the choices for these runs to the session, and the unsaved
/// training that has no checkpoint.
KeptRuns keep_runs(const AppContext& context, Session& session);

/// Makes the parent of a saved model's folder the default place for models, if there is none yet.
void remember_home(AppContext& context, const std::filesystem::path& folder);

}  // namespace vitrine
