#pragma once

#include <string>

namespace vitrine {

/// A success message with a green tick; words with markup of their own, as warnings have, are drawn unchanged.
inline std::string success_words(const std::string& told) {
    return told.starts_with('{') ? told : "{value|✓}  " + told;
}

/// A failure message, in the colour of warnings.
inline std::string warning_words(const std::string& words) { return "{key|" + words + "}"; }

}  // namespace vitrine
