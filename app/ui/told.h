#pragma once

#include <string>

namespace vitrine {

/// What was done, as it is shown: success behind a green tick; words that carry their own markup, as warnings do, as
/// they are.
inline std::string told_words(const std::string& told) { return told.starts_with('{') ? told : "{value|✓}  " + told; }

/// What could not be done, in the colour of warnings.
inline std::string warning_words(const std::string& words) { return "{key|" + words + "}"; }

}  // namespace vitrine
