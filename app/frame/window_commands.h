#pragma once

#include <string_view>
#include <vector>

#include "app/rooms/app_context.h"
#include "app/rooms/command_row.h"
#include "app/workspace/travel.h"

namespace vitrine {

/// Opens a dialog and refreshes its lists; an empty id closes it.
void open_dialog(AppContext& context, const std::string& id);

/// The changes that undo reverses in a room: in Train, whose choices are not in the history, none made in other rooms.
Undone undone_in(std::string_view room);

/// Commands available in every room.
const std::vector<CommandRow>& window_commands();

/// Commands about two workspaces side by side.
std::vector<CommandRow> rows_of_two_workspaces();

}  // namespace vitrine
