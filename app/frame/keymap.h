#pragma once

#include "app/rooms/app_context.h"
#include "app/ui/keyboard_focus.h"

namespace vitrine {

class CommandTable;
class Commands;

/// All commands that need no more words than their names.
const CommandTable& command_table();

/// Reads the keys of this frame: Tab and its relatives move the keyboard's place among the controls, all others ask for
/// the command whose row they stand in. Nothing is asked for while text is typed, beside what says so.
void read_keys(const AppContext& context, KeyboardFocus& focus, Commands& commands);

}  // namespace vitrine
