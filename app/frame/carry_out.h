#pragma once

#include "app/rooms/app_context.h"
#include "app/workspace/command.h"

namespace vitrine {

/// Executes a command: the only place where state changes. Failures are reported in `state.error`.
void carry_out(const Command& command, AppContext& context);

}  // namespace vitrine
