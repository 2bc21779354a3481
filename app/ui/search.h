#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace vitrine {

/// Text folded for comparison, one number per letter: lower case, full-width letters and digits as plain ones, katakana
/// as hiragana, everything that is neither letter nor digit as a space.
std::u32string folded(std::string_view utf8);

/// The role of a phrase in its entry. The order is that of the weights: a match in a name counts most.
enum class SearchField { name, other_name, synonym, kind, words };

/// Finds entries by typed words: those with most of them, where a rare word counts more than one that most entries have
/// (inverse document frequency). A word matches as it is, as a part of another, without its ending, and with one typing
/// mistake if no entry has it otherwise. Of one or two words all must match, where an entry has them.
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
    struct Found {
        double score;
        std::size_t entry;
    };
    double fit_in(std::size_t entry, std::u32string_view word, bool mistyped) const;
    std::vector<double> fits_of(std::u32string_view word, bool mistyped) const;  // by entry
    std::vector<Found> with_most(const std::vector<std::u32string_view>& words) const;
    std::vector<std::vector<Phrase>> entries_;
};

/// True if two words are equal or at most one edit apart: a wrong, missing or extra letter, or two swapped neighbours.
bool one_edit_apart(std::u32string_view a, std::u32string_view b);

}  // namespace vitrine
