#include "core/words/letters.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

namespace vitrine {

namespace {

/// Letters from `first` to `last`.
struct LetterRange {
    char32_t first, last;
};
/// Capitals `step` code points apart, whose lower-case letters are `by` code points further on.
struct CapitalRange {
    char32_t first, last;
    int step, by;
};
/// A letter, a mark that follows it, and the letter for both.
struct Composition {
    char32_t first, mark, whole;
};

#include "core/words/letters.inc"

/// The range that a letter is in; null if there is none. Ranges are in order and do not overlap.
template <class Range>
const Range* range_of(std::span<const Range> ranges, char32_t letter) {
    const auto after = std::ranges::upper_bound(ranges, letter, {}, &Range::first);
    if (after == ranges.begin() || letter > std::prev(after)->last) return nullptr;
    return &*std::prev(after);
}

/// The Korean syllable of two parts (an initial and a vowel, or these and a final), by Unicode's formula; 0 for any
/// other two letters.
char32_t syllable_of(char32_t first, char32_t second) {
    constexpr char32_t syllables = 0xAC00, initials = 0x1100, vowels = 0x1161, finals = 0x11A7;
    constexpr char32_t n_initials = 19, n_vowels = 21, n_finals = 28;
    if (first - initials < n_initials && second - vowels < n_vowels)
        return syllables + ((first - initials) * n_vowels + second - vowels) * n_finals;
    const char32_t open = first - syllables;
    if (open < n_initials * n_vowels * n_finals && open % n_finals == 0 && second > finals &&
        second - finals < n_finals)
        return first + second - finals;
    return 0;
}

/// The letter composed of a letter and the mark after it; 0 if there is none.
char32_t whole_of(char32_t first, char32_t second) {
    const auto key = [](const Composition& c) { return std::pair(c.first, c.mark); };
    const auto found = std::ranges::lower_bound(compositions, std::pair(first, second), {}, key);
    if (found != std::end(compositions) && key(*found) == std::pair(first, second)) return found->whole;
    return syllable_of(first, second);
}

}  // namespace

bool is_letter_of_script(char32_t letter) { return range_of<LetterRange>(letter_ranges, letter) != nullptr; }

bool is_number_of_script(char32_t letter) { return range_of<LetterRange>(number_ranges, letter) != nullptr; }

bool is_white(char32_t letter) {
    return (letter >= 0x09 && letter <= 0x0D) || (letter >= 0x1C && letter <= 0x20) || letter == 0x85 ||
           letter == 0xA0 || letter == 0x1680 || (letter >= 0x2000 && letter <= 0x200A) || letter == 0x2028 ||
           letter == 0x2029 || letter == 0x202F || letter == 0x205F || letter == 0x3000;
}

char32_t small_letter(char32_t letter) {
    const CapitalRange* const range = range_of<CapitalRange>(capital_ranges, letter);
    if (range == nullptr || (letter - range->first) % static_cast<char32_t>(range->step) != 0) return letter;
    return static_cast<char32_t>(static_cast<int>(letter) + range->by);
}

std::u32string in_small_letters(std::u32string_view letters) {
    constexpr char32_t dotted_capital_i = 0x130;
    std::u32string small;
    for (const char32_t letter : letters)
        if (letter == dotted_capital_i)
            small += U"i\u0307";
        else
            small += small_letter(letter);
    return small;
}

std::u32string composed(std::u32string_view letters) {
    std::u32string whole;
    for (const char32_t letter : letters)
        if (const char32_t both = whole.empty() ? 0 : whole_of(whole.back(), letter); both != 0)
            whole.back() = both;
        else
            whole += letter;
    return whole;
}

}  // namespace vitrine
