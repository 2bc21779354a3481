#pragma once

#include <cstddef>
#include <string>

namespace vitrine {

/// Words wrapped at spaces into lines of at most `width` letters, of which all but the first begin with `indent`
/// spaces. A longer word has a line of its own.
std::string wrapped(const std::string& words, std::size_t width, std::size_t indent);

/// Number of characters, not bytes, of UTF-8 text.
std::size_t letters_of(const std::string& words);

}  // namespace vitrine
