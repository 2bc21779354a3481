#pragma once

#include "app/rooms/room.h"
#include "app/workspace/command.h"

namespace vitrine {

struct AppContext;

// One's own pictures as the classes of a new head: what is asked for, and the dialog that tells how it goes.

/// Learns a folder's classes on the model that is shown. Throws Error where the folder holds too little.
void carry(const command::LearnOwnPictures& command, AppContext& context);

/// To stop, explore the model or keep it; for the table of commands.
std::vector<CommandRow> rows_of_own_pictures();

/// Whether a head was learned that is in no folder that stays; and puts it into one, aside.
bool has_unsaved_head(const AppContext& context);
void save_head(AppContext& context);

void own_pictures_dialog(const Frame& frame, const AppContext& context);

}  // namespace vitrine
