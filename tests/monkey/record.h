#pragma once

#include <string>

namespace vitrine::monkey {

// Log of the latest actions, printed when the program crashes: on an assertion, a signal, a sanitizer's report, or
// minutes of inactivity.

/// From here on, a crash prints the last 50 actions to stderr.
void watch(const std::string& how_to_repeat);
/// Records an action before it starts. Long ones are truncated.
void note(const std::string& action);
/// Ends the program because a condition is violated.
[[noreturn]] void fault(const std::string& what);

}  // namespace vitrine::monkey
