#pragma once

#include <string>
#include <string_view>

namespace vitrine {

/// Words from outside (labels, names of files and tensors) as a terminal may get them: control characters, which could
/// begin new lines or give the terminal orders, are written out as \n, \t, \r or \x1b, as are bytes that are no UTF-8
/// and the marks that turn the direction of writing (\u202e). Every command prints such words through this.
std::string printable(std::string_view words);

}  // namespace vitrine
