#pragma once

namespace vitrine {

/// Whether stderr is a terminal, so that somebody sees a command's progress.
bool errors_reach_a_terminal();

}  // namespace vitrine
