#pragma once

#include <cstddef>

namespace vitrine {

/// Whether stderr is a terminal, so that somebody sees a command's progress.
bool stderr_is_terminal();

/// Columns of the terminal on stdout; 100 if stdout is not a terminal.
std::size_t terminal_width();

}  // namespace vitrine
