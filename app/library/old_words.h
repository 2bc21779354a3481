#pragma once

#include <string>

namespace vitrine {

/// Translates a value of a part of the focus from sessions and command lines of earlier versions to current words.
/// `part` is its name.
std::string in_todays_words(const std::string& part, const std::string& words);

}  // namespace vitrine
