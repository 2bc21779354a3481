#pragma once

#include <string>
#include <vector>

#include "app/workspace/command.h"

namespace vitrine {

struct Frame;
struct State;

/// Leads to a photograph of the user's own in Explore: with the model on this machine that knows photographs, if there
/// is one.
std::vector<Command> own_photo(const State& state);
/// The words of a button that does so; they name that model.
std::string own_photo_words(const Frame& frame);

}  // namespace vitrine
