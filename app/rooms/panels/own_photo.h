#pragma once

#include <string>
#include <vector>

#include "app/workspace/command.h"

namespace vitrine {

struct Frame;
struct State;

/// The commands that let users choose a photograph of their own in Explore. If this machine has a model for
/// photographs, they open it first.
std::vector<Command> own_photo(const State& state);
/// The label of a button for these commands, with that model's name if there is one.
std::string own_photo_words(const Frame& frame);

}  // namespace vitrine
