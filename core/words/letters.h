#pragma once

#include <string>
#include <string_view>

namespace vitrine {

// Unicode's classes of letters (general categories), for tokenisers that split texts by them.

/// Whether it is a letter of any script: category L.
bool is_letter_of_script(char32_t letter);
/// Whether it is a digit or another number: category N.
bool is_number_of_script(char32_t letter);
/// Whether it is white space, as in Python's and Rust's regular expressions.
bool is_white(char32_t letter);
/// The lower-case letter of a capital, by Unicode's simple mapping; any other letter unchanged.
char32_t small_letter(char32_t letter);

/// The text in lower case; İ becomes i and a dot above, as in Unicode's full mappings.
std::u32string in_small_letters(std::u32string_view letters);
/// The text with each letter and the mark that follows it (U+0300 to U+036F) composed into one letter, and the parts of
/// a Korean syllable into the syllable. Several marks are composed in the order of the text; marks of other scripts
/// stay.
std::u32string composed(std::u32string_view letters);

}  // namespace vitrine
