#pragma once

#include "app/workspace/command.h"
#include "tests/monkey/dice.h"
#include "tests/monkey/window.h"
#include "tests/small_model.h"

namespace vitrine::monkey {

/// A command with random arguments: mostly possible for a user, sometimes only in a recording.
Command any_command(Window& window, Dice& dice);
/// A command executed by another process.
Command any_export(Window& window, Dice& dice);

/// The commands that lead to a place: a room, or "learn.text", training of text Transformers. None if already there.
std::vector<Command> way_to(Window& window, const std::string& place);

}  // namespace vitrine::monkey
