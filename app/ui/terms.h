#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace vitrine {

/// A technical term by language code, {"en": "layer normalization", …}: English and the languages that have a term.
using Term = std::map<std::string, std::string>;

/// Parses assets/terms.json; throws Error.
std::vector<Term> parse_terms(std::string_view json, const std::string& name);

/// How a language adds a term's English, "({english})". A Korean term followed by a syllable is a word of its own only
/// if that syllable begins a particle: `particles` are those syllables.
struct Gloss {
    std::string brackets, particles;
};

/// The words with the English term in brackets after the first occurrence of each term of that language, longest first.
/// Terms inside a longer one, inside another word, inside brackets or before one are skipped. English words are
/// unchanged.
std::string with_english(const std::string& words, const std::vector<Term>& terms, const std::string& language,
                         const Gloss& gloss);

/// True if the words of a key are prose, where English terms help and there is room for them.
bool is_prose(std::string_view key);

}  // namespace vitrine
