#pragma once

#include <string_view>

namespace vitrine {

// What JSON of somebody else's may hold that its parser takes and that nothing here can.

/// Whether it nests so deeply that no file of ours or of a model does: to copy or to write such a value takes as many
/// calls, and the stack may not hold them. To be asked before it is parsed.
bool nests_too_deeply(std::string_view json);

/// A number of JSON as a whole one: without its fraction, and the nearest that an int holds.
int whole(double number);

}  // namespace vitrine
