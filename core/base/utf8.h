#pragma once

#include <string>
#include <string_view>

namespace vitrine {

/// The replacement for bytes that are not valid UTF-8 (U+FFFD).
inline constexpr char32_t no_letter = 0xFFFD;

/// Decodes the code point at `at` and advances past it. Invalid bytes yield U+FFFD and advance by one.
char32_t letter_at(std::string_view utf8, std::size_t& at);

/// All code points of a text.
std::u32string letters_in(std::string_view utf8);

/// The longest beginning of at most `bytes` bytes that splits no code point.
std::string_view cut_at_letter(std::string_view utf8, std::size_t bytes);

/// Appends a code point as UTF-8.
void append_letter(std::string& utf8, char32_t letter);

/// Replaces every byte that is not valid UTF-8 by U+FFFD: file names may hold any bytes, but JSON, SVG and HTML may
/// not.
std::string as_utf8(std::string_view bytes);

}  // namespace vitrine
