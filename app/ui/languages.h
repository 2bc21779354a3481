#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace vitrine {

/// A language of the user interface: a file of assets/text.
struct Language {
    std::string code;  // the file's name: "en"
    std::string name;  // its name in the language itself: its own text "language.name"
};

/// The codes of all files in assets/text, English first, the others sorted.
const std::vector<std::string>& language_codes();

/// All languages in the same order, each with its name in the language itself.
const std::vector<Language>& languages();

bool is_language(std::string_view code);

/// All codes as a list for messages, with "or" before the last.
std::string language_list();

}  // namespace vitrine
