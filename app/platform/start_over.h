#pragma once

namespace vitrine {

/// Starts this program over, once, with a variable of the environment set; where it is set already, or that fails,
/// the run goes on as it is.
void start_over_with(const char* variable, const char* value, char** argv);

}  // namespace vitrine
