#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/text/text_task.h"
#include "core/text/vocabulary.h"

namespace vitrine {

/// What was typed, as words: any bytes may come, what is no UTF-8 becomes U+FFFD. A word that the vocabulary does not
/// know stays as it was typed, its id is [UNK]'s; names of special tokens are such words.
///
/// English: signs apart, "didn't" whole, capitals as the vocabulary has them ("The" is "the", "i" is "I", "tom" is
/// "Tom"); "did not" is "didn't" where only that is known, and the other way about. Japanese: the longest word that the
/// vocabulary knows, again and again; letters between such words that are of none make one unknown word.
std::vector<std::string> split_words(std::string_view typed, TextLanguage language, const Vocabulary& vocabulary);

/// Whether a word is a sign that ends a sentence, of either language.
bool ends_sentence(const std::string& word);

/// The same with a full stop at the end, as every sentence of ours has one; as it is where it is empty or ends one.
std::vector<std::string> as_sentence(std::vector<std::string> words, TextLanguage language);

/// Words as one reads them: "This is a pen." or これはペンです。 split_words finds the words again.
std::string join_words(const std::vector<std::string>& words, TextLanguage language);

}  // namespace vitrine
