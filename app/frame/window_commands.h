#pragma once

#include "app/rooms/app_context.h"
#include "app/rooms/command_row.h"

namespace vitrine {

/// Opens a dialog with the lists that it shows; none where the id is empty.
void open_dialog(AppContext& context, const std::string& id);

/// What can be asked for in every room.
const std::vector<CommandRow>& window_commands();

}  // namespace vitrine
