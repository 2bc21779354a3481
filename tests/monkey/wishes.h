#pragma once

#include "app/workspace/command.h"
#include "tests/monkey/dice.h"
#include "tests/monkey/window.h"
#include "tests/small_model.h"

namespace vitrine::monkey {

/// A command with content by chance: mostly what a user could ask for, sometimes what only a recording could say.
Command any_command(Window& window, Dice& dice);
/// One that another process carries out.
Command any_export(Window& window, Dice& dice);

/// The commands that lead to a place: a room, or "learn.text", where text Transformers learn. None where it is there.
std::vector<Command> way_to(Window& window, const std::string& place);

}  // namespace vitrine::monkey
