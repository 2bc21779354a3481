#pragma once

#include <string>

namespace vitrine {

/// A count of the chapter Models: every digit, or a power of ten where there are more than a double holds.
std::string whole_count(double count);

}  // namespace vitrine
