#pragma once

#include <string>
#include <string_view>

namespace vitrine {

/// Makes words from outside (labels, names of files and tensors) safe for a terminal. Control characters, which could
/// begin lines or send commands to the terminal, are escaped as \n, \t, \r or \x1b; so are bytes of invalid UTF-8 and
/// characters that change the direction of writing (\u202e). Every command prints such words through this function.
std::string printable(std::string_view words);

/// Makes serialised JSON safe for a terminal: characters that change the direction of writing become escapes such as
/// \u202e, so the JSON keeps its meaning.
std::string printable_json(std::string_view json);

}  // namespace vitrine
