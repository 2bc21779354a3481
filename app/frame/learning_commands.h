#pragma once

#include "app/rooms/house.h"
#include "app/rooms/room.h"
#include "app/sessions/session.h"
#include "app/workspace/command.h"

namespace vitrine {

// What is done with models that learn. They throw Error.

void carry(const command::ChangeLearning& command, House& house);
void carry(const command::WatchLearning& command, House& house);
void carry(const command::OpenLearned& command, House& house);
void carry(const command::SaveLearned& command, House& house);

/// Whether there are runs that nobody has saved, shown or aside.
bool has_unsaved_runs(House& house);
/// What would be lost if the program ended now, to two digits.
UnsavedLearning unsaved_learning(House& house);
/// Saves every run that would be lost, as it stands, aside.
void save_runs(House& house);

/// A model was kept in this folder: its neighbours are offered from now on.
void remember_home(House& house, const std::filesystem::path& folder);

}  // namespace vitrine
