#pragma once

#include "app/rooms/house.h"
#include "app/workspace/command.h"

namespace vitrine {

/// Carries a command out: the only place where state changes. What cannot be done becomes `state.error`.
void carry_out(const Command& command, House& house);

}  // namespace vitrine
