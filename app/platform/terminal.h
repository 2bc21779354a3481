#pragma once

namespace vitrine {

/// Whether stderr is a terminal, so that somebody sees a command's progress.
bool stderr_is_terminal();

}  // namespace vitrine
