#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace vitrine {

/// A technical term by the codes of languages, {"en": "layer normalization", …}: English and those that have terms.
using Term = std::map<std::string, std::string>;

/// Parses assets/terms.json; throws Error.
std::vector<Term> parse_terms(std::string_view json, const std::string& name);

/// The words with the English term in brackets behind the first occurrence of each term of that language, longest
/// first; a term inside a longer one is left alone. English words stay as they are.
std::string with_english(const std::string& words, const std::vector<Term>& terms, const std::string& language);

/// Whether the words of a key are prose, where English terms help and there is room for them.
bool is_prose(std::string_view key);

}  // namespace vitrine
