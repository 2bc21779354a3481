#pragma once

#include <string>
#include <string_view>

namespace vitrine {

/// Words from outside (labels, names of files and tensors) as a terminal may get them: control characters, which could
/// begin new lines or give the terminal orders, are written out as \n, \t, \r or \x1b, as are bytes that are no UTF-8
/// and the marks that turn the direction of writing (\u202e). Every command prints such words through this.
std::string printable(std::string_view words);

/// JSON that was written out, as a terminal may get it: in its strings the same marks as \u202e, which means the same.
std::string printable_json(std::string_view json);

}  // namespace vitrine
