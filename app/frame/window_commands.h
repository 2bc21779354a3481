#pragma once

#include <vector>

#include "app/rooms/app_context.h"
#include "app/rooms/command_row.h"

namespace vitrine {

/// Opens a dialog and refreshes its lists; an empty id closes it.
void open_dialog(AppContext& context, const std::string& id);

/// Commands available in every room.
const std::vector<CommandRow>& window_commands();

/// Commands about two workspaces side by side.
std::vector<CommandRow> rows_of_two_workspaces();

}  // namespace vitrine
