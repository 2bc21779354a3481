#pragma once

#include <string>

namespace vitrine {

/// A count in the chapter Models: all digits, or a power of ten if it exceeds a double's precision.
std::string whole_count(double count);

}  // namespace vitrine
