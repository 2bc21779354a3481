#pragma once

#include <string>

namespace vitrine::monkey {

// What was done last, told where the program ends by a fault: an assertion, a signal, a sanitizer, or nothing happening
// for minutes.

/// From here on a fault tells the last 50 actions on stderr.
void watch(const std::string& how_to_repeat);
/// Before an action is done. A longer one is cut.
void note(const std::string& action);
/// Ends the program: something does not hold.
[[noreturn]] void fault(const std::string& what);

}  // namespace vitrine::monkey
