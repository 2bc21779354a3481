#pragma once

#include <string_view>

namespace vitrine {

// Limits for JSON from other programs: values that its parser accepts but Vitrine cannot handle.

/// Whether it nests deeper than any model's file or any file of ours. Copying or writing such a value recurses as
/// deeply and could overflow the stack, so ask before parsing.
bool nests_too_deeply(std::string_view json);

/// A JSON number as an integer: without its fraction, limited to the range of int.
int whole(double number);

}  // namespace vitrine
