#pragma once

#include "app/rooms/app_context.h"
#include "app/rooms/room.h"
#include "app/sessions/session.h"
#include "app/workspace/command.h"

namespace vitrine {

// What is done with models that learn. They throw Error.

void carry(const command::ChangeLearning& command, AppContext& context);
void carry(const command::WatchLearning& command, AppContext& context);
void carry(const command::OpenLearned& command, AppContext& context);
void carry(const command::SaveLearned& command, AppContext& context);

/// Whether there are runs that nobody has saved, shown or aside.
bool has_unsaved_runs(AppContext& context);
/// What would be lost if the program ended now, to two digits.
UnsavedLearning unsaved_learning(AppContext& context);
/// Saves every run that would be lost, as it stands, aside.
void save_runs(AppContext& context);

/// A model was kept in this folder: its neighbours are offered from now on.
void remember_home(AppContext& context, const std::filesystem::path& folder);

}  // namespace vitrine
