#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace vitrine {

/// Text folded for comparison, one number per letter: lower case, full-width letters and digits as plain ones, katakana
/// as hiragana, everything that is neither letter nor digit as a space.
std::u32string folded(std::string_view utf8);

/// The relation of a phrase to its entry, by descending weight.
enum class SearchField { name, other_name, synonym, kind, words };

/// Finds entries by typed words. Each must occur in an entry's name or synonyms, as a whole or a beginning or, if
/// nothing else matches, with one mistake; if that finds nothing, more than half of the words must. A pure function of
/// the entries.
class SearchIndex {
public:
    /// Adds a phrase to an entry; entries are numbered from 0, and equal matches keep that order.
    void add(std::size_t entry, std::string_view phrase, SearchField field = SearchField::name);
    /// All matching entries, best first; all entries in order if nothing is typed.
    std::vector<std::size_t> find(std::string_view typed) const;

private:
    struct Phrase {
        std::u32string words;  // folded, single spaces
        SearchField field;
    };
    std::vector<std::vector<Phrase>> entries_;
};

/// Whether two words are the same or differ by one wrong, missing or extra letter, or two exchanged ones.
bool one_edit_apart(std::u32string_view a, std::u32string_view b);

}  // namespace vitrine
