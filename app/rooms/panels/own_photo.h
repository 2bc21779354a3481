#pragma once

#include <string>
#include <vector>

#include "app/workspace/command.h"

namespace vitrine {

struct Frame;
struct State;

/// The commands with which users choose a photograph of their own in Explore. They open the model for photographs
/// first, if this machine has one.
std::vector<Command> own_photo(const State& state);
/// The words of a button for these commands; they name the model, if there is one.
std::string own_photo_words(const Frame& frame);

}  // namespace vitrine
