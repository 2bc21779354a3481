#pragma once

#include "app/rooms/command_row.h"
#include "app/rooms/house.h"

namespace vitrine {

/// Opens a dialog with the lists that it shows; none where the id is empty.
void open_dialog(House& house, const std::string& id);

/// What can be asked for in every room.
const std::vector<CommandRow>& window_commands();

}  // namespace vitrine
