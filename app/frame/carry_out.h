#pragma once

#include "app/rooms/app_context.h"
#include "app/workspace/command.h"

namespace vitrine {

/// Carries a command out: the only place where state changes. What cannot be done becomes `state.error`.
void carry_out(const Command& command, AppContext& context);

}  // namespace vitrine
