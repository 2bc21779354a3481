#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/text/text_kinds.h"
#include "core/text/vocabulary.h"

namespace vitrine {

/// Splits typed text into words. Accepts any bytes; invalid UTF-8 becomes U+FFFD. A word missing from the vocabulary
/// stays as typed and has the id of [UNK], even if it is the name of a special token.
///
/// English: punctuation is split off, "didn't" stays whole, capitals as in the vocabulary ("The" is "the", "i" is "I",
/// "tom" is "Tom"); "did not" becomes "didn't" if only that is known, and vice versa. Japanese: repeatedly the longest
/// known word; letters between known words form one unknown word.
std::vector<std::string> split_words(std::string_view typed, TextLanguage language, const Vocabulary& vocabulary);

/// True if a word is punctuation that ends a sentence in either language.
bool ends_sentence(const std::string& word);

/// The words with a full stop at the end, as in all training sentences; unchanged if empty or already ended.
std::vector<std::string> as_sentence(std::vector<std::string> words, TextLanguage language);

/// Joins words into readable text: "This is a pen." or これはペンです。 split_words recovers the words.
std::string join_words(const std::vector<std::string>& words, TextLanguage language);
/// The same for words that follow others: their capitals and quotation marks depend on whether a sentence or a
/// quotation is open before them.
std::string join_after(const std::vector<std::string>& before, const std::vector<std::string>& words,
                       TextLanguage language);

}  // namespace vitrine
