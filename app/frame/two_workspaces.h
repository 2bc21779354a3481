#pragma once

#include <vector>

#include "app/rooms/command_row.h"

namespace vitrine {

/// Commands about two workspaces side by side.
std::vector<CommandRow> rows_of_two_workspaces();

}  // namespace vitrine
