#pragma once

#include <string>

namespace vitrine {

/// A probability as `percent_text` writes it, but never certain: one that a float rounds to 0 or 1 reads "< 0.1 %" or
/// "> 99.9 %", as those near it do.
std::string probability_text(double probability);

}  // namespace vitrine
