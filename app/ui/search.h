#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace vitrine {

/// Text folded for comparison, one code point per letter: lower case without diacritics, full-width letters and digits
/// as plain ones, katakana as hiragana, everything that is neither letter nor digit as a space.
std::u32string folded(std::string_view utf8);

/// The role of a phrase in its entry. The order is that of the weights: a match in a name counts most.
enum class SearchField { name, other_name, synonym, kind, words };

/// Finds entries by typed terms: if some entries have all terms, only these; else those with most terms, where a rare
/// term counts more than one that most entries have (inverse document frequency). A term matches as it is, as a
/// part of a word, without its ending, and with one typing mistake if no entry has it otherwise; a single letter or
/// digit only as a whole word, or, as the last term, as the beginning of one. A term with punctuation inside, "n-1",
/// matches as a whole.
class SearchIndex {
public:
    /// Adds a phrase to an entry; entries are numbered from 0, and equal matches keep that order.
    void add(std::size_t entry, std::string_view phrase, SearchField field = SearchField::name);
    /// Sets the factor of an entry's score, 0 … 1, so that others come first where both match alike; 1 by default.
    void weigh(std::size_t entry, double weight);
    /// All matching entries, best first; all entries in order if nothing is typed.
    std::vector<std::size_t> find(std::string_view typed) const;

private:
    struct Phrase {
        std::u32string words;  // folded, single spaces
        SearchField field;
    };
    struct Entry {
        std::vector<Phrase> phrases;
        double weight = 1;
    };
    struct Found {
        double score;
        std::size_t entry;
    };
    struct Term {
        std::u32string words;  // folded; several where punctuation is inside
        bool last = false;     // of the text: its end may not be typed yet
    };
    Entry& entry_of(std::size_t entry);
    double fit_in(const Entry& entry, const Term& term, bool mistyped) const;
    std::vector<double> fits_of(const Term& term) const;  // by entry
    static std::vector<Term> terms_of(std::string_view typed);
    std::vector<Term> known_terms(std::string_view typed) const;
    std::vector<Found> with_most(const std::vector<Term>& terms) const;
    std::vector<Entry> entries_;
};

/// True if two words are equal or at most one edit apart: a wrong, missing or extra letter, or two swapped neighbours.
bool one_edit_apart(std::u32string_view a, std::u32string_view b);

}  // namespace vitrine
