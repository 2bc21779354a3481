#pragma once

#include <string_view>

namespace vitrine {

// Limits for JSON from other programs: values that the JSON parser accepts but Vitrine cannot handle.

/// Whether lists and objects are nested deeper than in any model's file or any file of ours. Copying or writing such a
/// value recurses as deeply and could overflow the stack, so this is checked before parsing.
bool nests_too_deeply(std::string_view json);

/// A JSON number as an integer: without its fraction, limited to the range of int.
int whole(double number);

}  // namespace vitrine
