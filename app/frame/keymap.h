#pragma once

#include "app/rooms/app_context.h"
#include "app/ui/keyboard_focus.h"

namespace vitrine {

class CommandTable;
class Commands;

/// All commands without arguments.
const CommandTable& command_table();

/// Reads the keys of this frame: Tab and similar keys move the keyboard focus among the controls, all others trigger
/// commands. While text is typed, only commands marked for it are active.
void read_keys(const AppContext& context, KeyboardFocus& focus, Commands& commands);

}  // namespace vitrine
