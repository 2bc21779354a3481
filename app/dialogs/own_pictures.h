#pragma once

#include "app/rooms/room.h"
#include "app/workspace/command.h"

namespace vitrine {

struct AppContext;

// The user's own pictures as classes of a new head: commands and dialog.

/// Trains a head on a folder's classes with the shown model. Throws Error if the folder has too few pictures.
void execute(const command::LearnOwnPictures& command, AppContext& context);

/// Commands to stop, explore or save the model; for the table of commands.
std::vector<CommandRow> rows_of_own_pictures();

/// True if there is a trained head that is not saved in a permanent folder; save_head does so, asynchronously.
bool has_unsaved_head(const AppContext& context);
void save_head(AppContext& context);

void own_pictures_dialog(const Frame& frame, const AppContext& context);

}  // namespace vitrine
