#include "core/words/letters.h"

#include <algorithm>
#include <iterator>
#include <span>

namespace vitrine {

namespace {

/// Letters from `first` to `last`.
struct LetterRange {
    char32_t first, last;
};
/// Capitals `step` apart, whose small letters are `by` further on.
struct CapitalRange {
    char32_t first, last;
    int step, by;
};

#include "core/words/letters.inc"

/// The range that may hold a letter; null if none does. Ranges are in order and do not overlap.
template <class Range>
const Range* range_of(std::span<const Range> ranges, char32_t letter) {
    const auto after = std::ranges::upper_bound(ranges, letter, {}, &Range::first);
    if (after == ranges.begin() || letter > std::prev(after)->last) return nullptr;
    return &*std::prev(after);
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

}  // namespace vitrine
