#pragma once

#include <string>

namespace vitrine {

/// What a part of the focus is set to, as it is said today: sessions and command lines of earlier versions say some in
/// other words. `part` is its name.
std::string in_todays_words(const std::string& part, const std::string& words);

}  // namespace vitrine
