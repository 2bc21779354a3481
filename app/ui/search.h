#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace vitrine {

/// Words as they are compared, one number a letter: small letters, full-width letters and digits as plain ones,
/// katakana as hiragana, anything that is neither letter nor digit as a space.
std::u32string folded(std::string_view utf8);

/// What a phrase is to its entry, what weighs most first.
enum class SearchField { name, other_name, synonym, kind, words };

/// Finds entries by what is typed: every word has to be in an entry, in its name or a word for it, whole or as a
/// beginning or, where nothing else is found, with one mistake; and where that finds nothing, more than half of the
/// words. A pure function of what was added.
class SearchIndex {
public:
    /// Adds a phrase of an entry; entries are numbers from 0, their order is that of equals.
    void add(std::size_t entry, std::string_view phrase, SearchField field = SearchField::name);
    /// All entries that hold what is typed, the best first; all in their order where nothing is typed.
    std::vector<std::size_t> find(std::string_view typed) const;

private:
    struct Phrase {
        std::u32string words;  // folded, single spaces
        SearchField field;
    };
    std::vector<std::vector<Phrase>> entries_;
};

/// Whether two words differ by one letter that is wrong, missing or too many, or by two that changed places; or are
/// the same.
bool one_edit_apart(std::u32string_view a, std::u32string_view b);

}  // namespace vitrine
