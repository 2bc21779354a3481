#pragma once

#include <string>
#include <string_view>

namespace vitrine {

/// What stands for bytes that are no UTF-8.
inline constexpr char32_t no_letter = 0xFFFD;

/// The letter that begins at a byte, which moves on; one byte further and U+FFFD where none does.
char32_t letter_at(std::string_view utf8, std::size_t& at);

/// Writes a letter behind UTF-8.
void append_letter(std::string& utf8, char32_t letter);

/// The same with U+FFFD for every byte that is no UTF-8: names of files may be any bytes, JSON, SVG and HTML may not.
std::string as_utf8(std::string_view bytes);

}  // namespace vitrine
