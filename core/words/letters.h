#pragma once

namespace vitrine {

// Classes of letters as the Unicode standard has them (general categories), for tokenisers that split by them.

/// Whether it is a letter of any script: category L.
bool is_letter_of_script(char32_t letter);
/// Whether it is a digit or another number: category N.
bool is_number_of_script(char32_t letter);
/// Whether it is white space, as Python's and Rust's regular expressions have it.
bool is_white(char32_t letter);
/// The small letter of a capital, by its simple mapping; any other letter as it is.
char32_t small_letter(char32_t letter);

}  // namespace vitrine
