#pragma once

namespace vitrine {

/// Whether stderr is a terminal, so that somebody watches how far a command is.
bool errors_reach_a_terminal();

}  // namespace vitrine
